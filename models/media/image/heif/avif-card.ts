import { defineImageFormat } from '../image-format.ts';
import { hasAvifBrand } from './brands.ts';

export const avif = defineImageFormat({
  id: 'avif',
  name: 'AVIF',
  mediaType: 'image/avif',
  extensions: ['avif'],
  targetNames: ['avif'],
  advice: 'Smallest for photos. Not every app opens it.',
  writeSeconds: 4.7,
  sideMax: 65_536,
  holds: { alpha: true, is16Bit: false, several: undefined, metadata: ['icc', 'exif', 'xmp'] },
  isLossy: true,
  tuning: ['chroma', 'effort'],
  inBrowsers: { isShown: true },
  matches: hasAvifBrand,
  load: async () => (await import('./avif-file-code.ts')).avifFileCode,
});
