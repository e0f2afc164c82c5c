import { COMMENT, defineImageFormat } from '../image-format.ts';

export const jpeg = defineImageFormat({
  id: 'jpeg',
  name: 'JPG',
  mediaType: 'image/jpeg',
  extensions: ['jpg', 'jpeg'],
  targetNames: ['jpg', 'jpeg'],
  advice: 'Opens everywhere. No transparency.',
  writeSeconds: 0.6,
  sideMax: 65_500,
  holds: {
    alpha: false,
    is16Bit: false,
    several: undefined,
    metadata: ['icc', 'exif', 'xmp', 'iptc', 'resolution', 'texts'],
    keywords: [COMMENT],
  },
  isLossy: true,
  drawings: 'full-chroma',
  tuning: ['chroma', 'isProgressive'],
  hasSimpleHeader: true,
  inBrowsers: { isShown: true },
  matches: (head) => head.startsWith('\xff\xd8\xff'),
  load: async () => (await import('./file-code.ts')).jpegFileCode,
});
