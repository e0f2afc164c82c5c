import type { EncoderTuning } from '../../../models/core/runtime/image-codec.ts';
import { type DeviceSettings, PALETTE_SIZES } from '../../../models/media/image/device-settings.ts';
import { findTarget } from '../../../models/media/image/find-format.ts';
import { type Field, initialValues, type ParamValues } from '../tools/fields.ts';
import type { FieldWording } from '../tools/wording.ts';

/**
 * Quality that the page starts with, by format. A number means the same visible quality in each of them, but a photo
 * that was a JPG already gains nothing from one above its own: at 92, the API's default, its WebP is larger than it.
 */
const USUAL: Readonly<Record<string, number>> = { jpg: 80, webp: 80, avif: 75, heic: 75 };

/** Fields of the encoders that only a run on this device has. */
export const ENCODER_FIELDS: readonly Field[] = [
  { kind: 'switch', name: 'lossless', initial: false },
  { kind: 'choice', name: 'chroma', values: ['auto', '4:4:4', '4:2:0'], initial: 'auto' },
  { kind: 'choice', name: 'effort', values: ['auto', 'fast', 'balanced', 'smallest'], initial: 'auto' },
  { kind: 'switch', name: 'progressive', initial: false },
  { kind: 'choice', name: 'colours', values: ['auto', ...PALETTE_SIZES.map(String)], initial: 'auto' },
];

/** Field of each setting of an encoder. */
const FIELD_OF: Readonly<Record<keyof EncoderTuning, string>> = {
  isLossless: 'lossless',
  chroma: 'chroma',
  effort: 'effort',
  isProgressive: 'progressive',
  colours: 'colours',
};

const EFFORTS: Readonly<Record<string, number>> = { fast: 0, balanced: 0.5, smallest: 1 };

const EFFORT_MEANINGS: Readonly<Record<string, string>> = {
  auto: 'A good size in little time.',
  fast: 'Quickly written, and larger.',
  balanced: 'Smaller, but several times slower.',
  smallest: 'As small as possible. A large photo can take minutes.',
};

/** Texts of these fields. */
export const ENCODER_WORDING: Readonly<Record<string, FieldWording>> = {
  lossless: {
    label: 'Lossless',
    isRelevant: (values) => encoderHas('lossless', values),
    explain: ({ lossless }) =>
      lossless ? 'Keeps every pixel. Often as large as a PNG.' : 'Quality decides what is kept.',
  },
  chroma: {
    label: 'Colour detail',
    choices: { auto: 'Automatic', '4:4:4': '4:4:4', '4:2:0': '4:2:0' },
    isRelevant: (values) => encoderHas('chroma', values),
    explain: ({ chroma }) => {
      if (chroma === '4:4:4') return 'Full: red text and thin coloured lines stay sharp.';
      return chroma === '4:2:0' ? 'Half: smaller, and enough for photos.' : 'As the encoder chooses.';
    },
  },
  effort: {
    label: 'Effort',
    choices: { auto: 'Automatic', fast: 'Fast', balanced: 'Balanced', smallest: 'Smallest' },
    isRelevant: (values) => encoderHas('effort', values),
    explain: ({ effort }) => EFFORT_MEANINGS[String(effort)] ?? '',
  },
  progressive: {
    label: 'Progressive',
    isRelevant: (values) => encoderHas('progressive', values),
    explain: ({ progressive }) =>
      progressive ? 'Shows coarsely at first, then sharper while it loads.' : 'Loads from top to bottom.',
  },
  colours: {
    label: 'Colours',
    choices: { auto: 'Automatic', 256: '256', 16: '16', 4: '4', 2: '2' },
    isRelevant: (values) => encoderHas('colours', values),
    explain: ({ colours, to_format }) => {
      if (colours !== 'auto') return 'A palette of this many colours. Small for drawings, poor for photos.';
      return to_format === 'gif' ? '256, the most that a GIF can have.' : 'All of them.';
    },
  },
};

/** Reports whether the encoder of the chosen format has a setting. */
export function encoderHas(field: string, { to_format }: ParamValues): boolean {
  return (findTarget(String(to_format))?.tuning ?? []).some((setting) => FIELD_OF[setting] === field);
}

/** Returns the settings that the values mean; undefined when all are as they were. */
export function getEncoderSettings(values: ParamValues): DeviceSettings | undefined {
  const { lossless, chroma, effort, progressive, colours } = values;
  const effortShare = EFFORTS[String(effort)];
  const tuning: EncoderTuning = {
    ...(lossless === true && { isLossless: true }),
    ...((chroma === '4:4:4' || chroma === '4:2:0') && { chroma }),
    ...(effortShare !== undefined && { effort: effortShare }),
    ...(progressive === true && { isProgressive: true }),
    ...(colours !== undefined && colours !== 'auto' && { colours: Number(colours) }),
  };
  return Object.keys(tuning).length > 0 ? { tuning } : undefined;
}

/** Returns fields with the quality of the initial format as the initial one. */
export function startWithUsualQuality(fields: readonly Field[]): readonly Field[] {
  const quality = USUAL[String(initialValues(fields).to_format)];
  return fields.map((field) =>
    field.name === 'quality' && field.kind === 'range' && quality !== undefined
      ? { ...field, initial: quality }
      : field,
  );
}

/** Lets the quality follow the format, unless the visitor has chosen another one. */
export function followFormat(values: ParamValues, before: ParamValues): ParamValues {
  const quality = USUAL[String(values.to_format)];
  if (values.to_format === before.to_format || quality === undefined) return values;
  // A format without a quality keeps the number of the one before.
  const usual = USUAL[String(before.to_format)];
  const isUsual =
    usual === undefined ? Object.values(USUAL).includes(Number(before.quality)) : before.quality === usual;
  return isUsual ? { ...values, quality } : values;
}
