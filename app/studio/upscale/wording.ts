import type { Wording } from '../tools/wording.ts';

export const UPSCALE_WORDING: Wording = {
  lead: 'The loupe is computed first. Move it, then decide.',
  verb: 'Upscale',
  showsSizeChange: false,
  // The page has fields of its own, which know the size of the file.
  fields: {},
};
