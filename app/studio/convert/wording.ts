import type { ParamValues } from '../tools/fields.ts';
import type { Wording } from '../tools/wording.ts';
import { encoderHas } from './device-fields.ts';

const FORMATS: Readonly<Record<string, string>> = {
  jpg: 'Opens everywhere. Transparency becomes white.',
  png: 'Keeps every pixel unchanged. Large for photos, right for drawings and screenshots.',
  webp: 'About a fifth smaller than JPG, with transparency and animation. Every browser opens it.',
  avif: 'The smallest for photos. Takes longest to write; opens in browsers, but not in every app.',
  heic: 'What phones write: about a third smaller than JPG. Apple and recent Windows open it.',
  tiff: 'Every pixel unchanged, for print and archives. Large.',
  gif: 'At most 256 colours. For old animations; WebP does it better.',
  bmp: 'Plain pixels for old programs. Very large, without transparency.',
};

const LOSSY = ['jpg', 'webp', 'avif', 'heic'];
const HOLDS_METADATA = ['jpg', 'png', 'webp', 'tiff', 'avif', 'heic'];

const has = (list: readonly string[], { to_format }: ParamValues): boolean =>
  list.includes(String(to_format));

export const CONVERT_WORDING: Wording = {
  lead: 'HEIC, WebP, PNG, JPG, BMP, TIFF, AVIF and GIF, to any of these formats.',
  verb: 'Convert',
  showsSizeChange: true,
  fields: {
    to_format: {
      label: 'Format',
      choices: {
        jpg: 'JPG',
        png: 'PNG',
        webp: 'WebP',
        avif: 'AVIF',
        heic: 'HEIC',
        tiff: 'TIFF',
        gif: 'GIF',
        bmp: 'BMP',
      },
      explain: ({ to_format }) => FORMATS[String(to_format)] ?? '',
    },
    quality: {
      label: 'Quality',
      isRelevant: (values) => has(LOSSY, values) && !(values.lossless && encoderHas('lossless', values)),
      explain: ({ quality }) => {
        if (Number(quality) >= 90) return 'No visible difference.';
        if (Number(quality) >= 75) return 'Good for the web. Differences show only when enlarged.';
        if (Number(quality) >= 50) return 'Small. Fine texture gets softer.';
        return 'Very small, with visible loss.';
      },
    },
    keep_metadata: {
      label: 'Keep metadata',
      isRelevant: (values) => has(HOLDS_METADATA, values),
      explain: ({ keep_metadata }) =>
        keep_metadata
          ? 'Location, date, camera and colour profile stay in the file.'
          : 'Location, date and camera are removed. Colours become sRGB.',
    },
  },
};
