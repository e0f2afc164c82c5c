import { findTarget, listFormats } from '../../../models/media/image/find-format.ts';
import { formatName } from '../../ui/quantities.ts';
import { changedFields, type Field, type ParamValues } from '../tools/fields.ts';
import { summarise, type Wording } from '../tools/wording.ts';
import { ENCODER_FIELDS, ENCODER_WORDING, encoderHas } from './encoder-options.ts';
import { SHARE_FIELD, SHARE_WORDING } from './file-geometry.ts';
import { GEOMETRY_WORDING } from './geometry-wording.ts';

interface Animated {
  readonly name: string;
  readonly mediaType: string;
  readonly frames: number;
}

/** Formats to choose from, by the usual one of their names. */
const TARGETS = listFormats().flatMap(({ name, targetNames: [target] }) =>
  target === undefined ? [] : [[target, name] as const],
);

const chosen = ({ to_format }: ParamValues) => findTarget(String(to_format));

export const CONVERT_WORDING: Wording = {
  lead: 'Change format, quality and size.',
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
        if (Number(quality) >= 90) return 'Looks the same.';
        if (Number(quality) >= 75) return 'Good for the web.';
        if (Number(quality) >= 50) return 'Small, a little softer.';
        return 'Very small, visibly worse.';
      },
    },
    keep_metadata: {
      label: 'Keep metadata',
      isRelevant: (values) => chosen(values)?.holds.metadata.includes('exif') === true,
      explain: ({ keep_metadata }) =>
        keep_metadata ? 'Keeps location, date and camera.' : 'Removes location, date and camera.',
    },
    ...GEOMETRY_WORDING,
  },
};

/** Names the settings of a result: `JPG 80`, `AVIF 62 · 4:4:4`, `WebP · Lossless`. @param fields of the operation */
export function nameSettings(fields: readonly Field[], values: ParamValues): string {
  const { to_format, quality } = CONVERT_WORDING.fields;
  const format = to_format?.choices?.[String(values.to_format)] ?? String(values.to_format);
  const name = quality?.isRelevant?.(values) === false ? format : `${format} ${values.quality}`;
  const own = [...fields.filter((field) => Object.hasOwn(GEOMETRY_WORDING, field.name)), SHARE_FIELD];
  const wording = { fields: { ...GEOMETRY_WORDING, ...SHARE_WORDING, ...ENCODER_WORDING } };
  const options = summarise(changedFields([...own, ...ENCODER_FIELDS], values), wording, values);
  return options ? `${name} · ${options}` : name;
}

/** Reports whether the chosen format keeps only the first frame of an animation. Device and server do the same. */
export function isStill({ to_format }: ParamValues): boolean {
  const target = findTarget(String(to_format));
  return target !== undefined && !target.holds.several;
}

/**
 * Says which frames a conversion to a still format loses.
 * @param fileCount number of all files, with those that are not animated
 */
export function describeLostFrames(animated: readonly Animated[], fileCount: number): string | null {
  const [first, ...others] = animated;
  if (!first) return null;
  if (others.length > 0)
    return `${animated.length} images are animated: only the first frame of each is kept.`;
  const subject = fileCount === 1 ? `This ${formatName(first.mediaType)}` : first.name;
  return `${subject} has ${first.frames} frames: only the first is kept.`;
}
