import { defineImageFormat } from '../format/image-format.ts';
import { hasAvifBrand, hasHeifBrand } from '../heif/brands.ts';

export const heic = defineImageFormat({
  id: 'heic',
  name: 'HEIC',
  mediaType: 'image/heic',
  extensions: ['heic', 'heif'],
  targetNames: ['heic'],
  advice: 'What phones write: about a third smaller than JPG. Apple and recent Windows open it.',
  writeSeconds: 5.2,
  holds: { alpha: true, is16Bit: false, several: undefined, metadata: ['icc', 'exif', 'xmp'] },
  isLossy: true,
  tuning: [],
  needsGplEncoder: true,
  needsThreads: true,
  inBrowsers: { isShown: false },
  matches: (head) => hasHeifBrand(head) && !hasAvifBrand(head),
  load: async () => (await import('../heif/file-code.ts')).heifFileCode,
});
