import { COMMENT, defineImageFormat } from '../image-format.ts';

export const gif = defineImageFormat({
  id: 'gif',
  name: 'GIF',
  mediaType: 'image/gif',
  extensions: ['gif'],
  targetNames: ['gif'],
  advice: 'At most 256 colours. WebP is better.',
  writeSeconds: 3,
  sideMax: 65_535,
  holds: {
    alpha: true,
    is16Bit: false,
    several: 'frames',
    metadata: ['xmp', 'texts'],
    keywords: [COMMENT],
  },
  isLossy: false,
  tuning: ['colours'],
  hasSimpleHeader: true,
  inBrowsers: { isShown: true },
  matches: (head) => /^GIF8[79]a/.test(head),
  load: async () => (await import('./file-code.ts')).gifFileCode,
});
