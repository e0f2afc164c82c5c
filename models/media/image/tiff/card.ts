import { defineImageFormat } from '../image-format.ts';

export const tiff = defineImageFormat({
  id: 'tiff',
  name: 'TIFF',
  mediaType: 'image/tiff',
  extensions: ['tif', 'tiff'],
  targetNames: ['tiff'],
  advice: 'Lossless, for print. Large.',
  writeSeconds: 2.8,
  holds: {
    alpha: true,
    is16Bit: true,
    several: 'pages',
    metadata: ['icc', 'exif', 'xmp', 'iptc', 'resolution'],
  },
  isLossy: false,
  tuning: [],
  inBrowsers: { isShown: false },
  matches: (head) => /^(II[*+]\0|MM\0[*+])/.test(head),
  load: async () => (await import('./file-code.ts')).tiffFileCode,
});
