import { MEGABYTE, type WeightCard, weightCards } from '../../core/runtime/weight-card.ts';

const OWN: WeightCard['licence'] = {
  name: 'Our own',
  consequence:
    'Trained from scratch by lab/training/upscale, on photos under CC0, CC BY 4.0, Unsplash and Pexels licences.',
};

/** Weights of `upscale`. */
export const UPSCALE_WEIGHTS = weightCards('upscale', {
  'realesr-general-x4v3': {
    role: 'x4, real photos',
    url: 'https://huggingface.co/jonathanst29/tinier-upscale-models/resolve/899dc1e4b22bbf1955c2f1739c085edc080cb366/realesr-general-x4v3.onnx',
    bytes: 4_866_396,
    sha256: '924ebad6532777303582d4ce7811849b88869231a3ae7093e0f21200249df8d5',
    licence: { name: 'BSD-3-Clause' },
    precision: 'fp32',
    memoryBytes: 600 * MEGABYTE,
  },
  'realesrgan-x4plus': {
    role: 'x4, heavy',
    url: 'https://huggingface.co/jonathanst29/tinier-upscale-models/resolve/899dc1e4b22bbf1955c2f1739c085edc080cb366/realesrgan-x4plus.onnx',
    bytes: 67_051_618,
    sha256: '4ed6a45a8185bde6c8d7c7790a6e80e3c5b9f608946f634021068dd0fd0473c8',
    licence: { name: 'BSD-3-Clause' },
    precision: 'fp32',
    memoryBytes: 1500 * MEGABYTE,
  },
  'swin2sr-lightweight-x2': {
    role: 'x2',
    url: 'https://huggingface.co/Xenova/swin2SR-lightweight-x2-64/resolve/main/onnx/model.onnx',
    bytes: 8_078_888,
    sha256: 'c2abbfe0cc8e685b5e11964970f8ebe3d24072e904fd5545a30ac31ec1e110db',
    licence: { name: 'Apache-2.0' },
    precision: 'fp32',
    memoryBytes: 1200 * MEGABYTE,
  },
  'upscale-x2': {
    role: 'x2, bundled',
    url: null,
    bytes: 524_055,
    sha256: '6341d7bd2d072172eee07806a3df92d6c023ca71865a8f72025ec5842eed732b',
    licence: OWN,
    // Stored as float16, computed as float32.
    precision: 'fp32',
    memoryBytes: 300 * MEGABYTE,
  },
  'upscale-x4': {
    role: 'x4, bundled',
    url: null,
    bytes: 558_907,
    sha256: '3c5a4cc186128bcaa50db2899ac5db0f8346edc32c800e570aa234154e08a7b0',
    licence: OWN,
    // Stored as float16, computed as float32.
    precision: 'fp32',
    memoryBytes: 400 * MEGABYTE,
  },
  'upscale-restore-x2': {
    role: 'x2, restoring, bundled',
    url: null,
    bytes: 524_055,
    sha256: '8d8b4df063437328b85ba4492339d4c5215ced85092b90eadcf93a9c1df6c832',
    licence: OWN,
    // Stored as float16, computed as float32.
    precision: 'fp32',
    memoryBytes: 300 * MEGABYTE,
  },
  'upscale-fast-x2': {
    role: 'x2, fast, bundled',
    url: null,
    bytes: 92_453,
    sha256: '23d96c727aeb3c4d4462c2eb88b0c5aa385dd37c8c1e889b0dfc53469acc0417',
    licence: OWN,
    // Stored as float16, computed as float32.
    precision: 'fp32',
    memoryBytes: 150 * MEGABYTE,
  },
});
