import { defineImageFormat } from '../image-format.ts';

export const bmp = defineImageFormat({
  id: 'bmp',
  name: 'BMP',
  mediaType: 'image/bmp',
  extensions: ['bmp'],
  targetNames: ['bmp'],
  advice: 'For old programs. Very large.',
  writeSeconds: 0.5,
  holds: { alpha: false, is16Bit: false, several: undefined, metadata: ['resolution'] },
  isLossy: false,
  tuning: [],
  hasSimpleHeader: true,
  inBrowsers: { isShown: true },
  matches: (head) => head.startsWith('BM'),
  load: async () => (await import('./file-code.ts')).bmpFileCode,
});
