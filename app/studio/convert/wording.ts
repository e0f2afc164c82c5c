import { findTarget, listFormats, namesOf } from '../../../models/media/image/find-format.ts';
import type { ParamValues } from '../tools/fields.ts';
import type { Wording } from '../tools/wording.ts';
import { encoderHas } from './device-fields.ts';

/** Formats to choose from, by the usual one of their names. */
const TARGETS = listFormats().flatMap(({ name, targetNames: [target] }) =>
  target === undefined ? [] : [[target, name] as const],
);

const chosen = ({ to_format }: ParamValues) => findTarget(String(to_format));

export const CONVERT_WORDING: Wording = {
  lead: `${namesOf(undefined, 'and')}, to any of these formats.`,
  verb: 'Convert',
  showsSizeChange: true,
  fields: {
    to_format: {
      label: 'Format',
      choices: Object.fromEntries(TARGETS),
      explain: (values) => chosen(values)?.advice ?? '',
    },
    quality: {
      label: 'Quality',
      isRelevant: (values) =>
        chosen(values)?.isLossy === true && !(values.lossless && encoderHas('lossless', values)),
      explain: ({ quality }) => {
        if (Number(quality) >= 90) return 'No visible difference.';
        if (Number(quality) >= 75) return 'Good for the web. Differences show only when enlarged.';
        if (Number(quality) >= 50) return 'Small. Fine texture gets softer.';
        return 'Very small, with visible loss.';
      },
    },
    keep_metadata: {
      label: 'Keep metadata',
      isRelevant: (values) => chosen(values)?.holds.metadata.includes('exif') === true,
      explain: ({ keep_metadata }) =>
        keep_metadata
          ? 'Location, date, camera and colour profile stay in the file.'
          : 'Location, date and camera are removed. Colours become sRGB.',
    },
  },
};
