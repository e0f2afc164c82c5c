import { defineImageFormat } from '../image-format.ts';
import { hasAvifBrand, hasHeifBrand } from './brands.ts';

export const heic = defineImageFormat({
  id: 'heic',
  name: 'HEIC',
  mediaType: 'image/heic',
  extensions: ['heic', 'heif'],
  targetNames: ['heic'],
  advice: 'A third smaller than JPG. For Apple and recent Windows.',
  writeSeconds: 5.2,
  holds: { alpha: true, is16Bit: false, several: undefined, metadata: ['icc', 'exif', 'xmp'] },
  isLossy: true,
  tuning: [],
  needsGplEncoder: true,
  inBrowsers: { isShown: false },
  matches: (head) => hasHeifBrand(head) && !hasAvifBrand(head),
  load: async () => (await import('./file-code.ts')).heifFileCode,
});
