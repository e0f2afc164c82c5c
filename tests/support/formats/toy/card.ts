import { defineImageFormat } from '../../../../models/media/image/image-format.ts';

/** Card of an image format that does not exist: `TOY!`, then width, height and RGBA samples, a byte each. */
export const toy = defineImageFormat({
  id: 'toy',
  name: 'Toy',
  mediaType: 'image/x-toy',
  extensions: ['toy', 'tyy'],
  targetNames: ['toy'],
  advice: 'For tests alone.',
  writeSeconds: 1,
  sideMax: 8,
  holds: { alpha: true, is16Bit: false, several: undefined, metadata: [] },
  isLossy: true,
  tuning: ['effort'],
  inBrowsers: { isShown: false },
  matches: (head) => head.startsWith('TOY!'),
  load: async () => (await import('./file-code.ts')).toyFileCode,
});
