import type { Wording } from '../tools/wording.ts';

export const REMOVE_BG_WORDING: Wording = {
  lead: 'Keeps the subject, with soft edges.',
  verb: 'Remove background from',
  showsSizeChange: false,
  // No choice is needed before the first run: the page has its own controls beside the result.
  fields: {},
};
