import type { Wording } from '../frame/wording.ts';

export const REMOVE_BG_WORDING: Wording = {
  title: 'Cut out pictures and videos',
  lead: 'The background goes, the subject stays, with soft edges.',
  verb: 'Cut out',
  isAboutSize: false,
  // Nothing has to be chosen before the first run: the page has controls of its own beside the result.
  fields: {},
};
