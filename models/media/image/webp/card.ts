import { defineImageFormat } from '../image-format.ts';

export const webp = defineImageFormat({
  id: 'webp',
  name: 'WebP',
  mediaType: 'image/webp',
  extensions: ['webp'],
  targetNames: ['webp'],
  advice: 'A fifth smaller than JPG. Every browser opens it.',
  writeSeconds: 2,
  sideMax: 16_383,
  holds: { alpha: true, is16Bit: false, several: 'frames', metadata: ['icc', 'exif', 'xmp'] },
  isLossy: true,
  drawings: 'lossless',
  tuning: ['isLossless', 'effort'],
  hasSimpleHeader: true,
  inBrowsers: { isShown: true, ignoresExif: true },
  matches: (head) => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP',
  load: async () => (await import('./file-code.ts')).webpFileCode,
});
