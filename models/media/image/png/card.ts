import { defineImageFormat } from '../image-format.ts';

export const png = defineImageFormat({
  id: 'png',
  name: 'PNG',
  mediaType: 'image/png',
  extensions: ['png'],
  targetNames: ['png'],
  advice: 'Lossless. Good for drawings and screenshots.',
  writeSeconds: 2.8,
  holds: {
    alpha: true,
    is16Bit: true,
    several: undefined,
    metadata: ['icc', 'exif', 'xmp', 'resolution', 'texts'],
  },
  isLossy: false,
  drawings: 'unfiltered',
  tuning: ['colours'],
  hasSimpleHeader: true,
  inBrowsers: { isShown: true },
  matches: (head) => head.startsWith('\x89PNG\r\n\x1a\n'),
  load: async () => (await import('./file-code.ts')).pngFileCode,
});
