import type { Wording } from '../frame/wording.ts';

const FORMATS: Readonly<Record<string, string>> = {
  png: 'Transparent, every pixel as it is.',
  webp: 'Transparent, and much smaller.',
  jpeg: 'Opens everywhere. What is cut away becomes white.',
};

export const REMOVE_BG_WORDING: Wording = {
  title: 'Cut out pictures',
  lead: 'The background goes, the subject stays, with soft edges.',
  verb: 'Cut out',
  noun: 'picture',
  fields: {
    output_format: {
      label: 'Format',
      choices: { png: 'PNG', webp: 'WebP', jpeg: 'JPG' },
      explain: ({ output_format }) => FORMATS[String(output_format)] ?? '',
    },
    subject: {
      label: 'Keep',
      choices: { all: 'Every subject', primary: 'The largest only' },
      explain: ({ subject }) =>
        subject === 'primary'
          ? 'Smaller subjects go with the background.'
          : 'People, animals and things alike.',
    },
  },
};
