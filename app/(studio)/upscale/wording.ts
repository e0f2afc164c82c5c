import type { Wording } from '../frame/wording.ts';

const SCALES: Readonly<Record<string, string>> = {
  2: 'Twice as wide and high: four times the pixels.',
  4: 'Four times as wide and high, for a small image that is to be printed or shown large.',
  8: 'Eight times as wide and high, in two steps. For very small images: little detail is left to enlarge.',
};

const MODELS: Readonly<Record<string, string>> = {
  'crystal-upscaler': 'The best model that is on this device. It adds no texture that is not there.',
  'darkroom-fast': 'About ten times as fast, with slightly softer edges.',
  'realesr-general-x4v3': 'Repairs compressed and noisy photos, and invents fine texture. 5 MB, loaded once.',
  'realesrgan-x4plus': 'As the one before, stronger and far slower. 67 MB, loaded once.',
  'swin2sr-lightweight-x2': 'The sharpest for clean images, and slow. 8 MB, loaded once.',
};

const FORMATS: Readonly<Record<string, string>> = {
  png: 'Every pixel as computed. Large.',
  jpeg: 'Small. Transparency becomes white.',
  webp: 'Smaller than JPG, with transparency.',
};

export const UPSCALE_WORDING: Wording = {
  lead: 'Two, four or eight times the size, with sharp edges.',
  verb: 'Upscale',
  showsSizeChange: false,
  fields: {
    scale: {
      label: 'Size',
      choices: { 2: '2×', 4: '4×', 8: '8×' },
      explain: ({ scale }) => SCALES[String(scale)] ?? '',
    },
    output_format: {
      label: 'Format',
      choices: { png: 'PNG', jpeg: 'JPG', webp: 'WebP' },
      explain: ({ output_format }) => FORMATS[String(output_format)] ?? '',
    },
    model: {
      label: 'Model',
      choices: {
        'crystal-upscaler': 'Automatic',
        'darkroom-fast': 'Fast',
        'realesr-general-x4v3': 'Real-ESRGAN general',
        'realesrgan-x4plus': 'Real-ESRGAN ×4+',
        'swin2sr-lightweight-x2': 'Swin2SR light',
      },
      explain: ({ model }) => MODELS[String(model)] ?? '',
    },
  },
};
