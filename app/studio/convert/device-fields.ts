import type { EncoderTuning } from '../../../models/core/runtime/image-codec.ts';
import { type Adjustments, type Resizing, SIDE_MAX } from '../../../models/kernels/resize/resize-plan.ts';
import { type DeviceSettings, PALETTE_SIZES } from '../../../models/media/image/device-settings.ts';
import { findTarget } from '../../../models/media/image/find-format.ts';
import type { Field, ParamValues } from '../tools/fields.ts';

const side = (name: string): Field => ({
  kind: 'number',
  name,
  min: 1,
  max: SIDE_MAX,
  isInteger: true,
  isOptional: true,
  initial: undefined,
});

/** Fields of an image's geometry. The API has none of them. */
export const GEOMETRY_FIELDS: readonly Field[] = [
  { kind: 'choice', name: 'turn', values: [0, 1, 2, 3], initial: 0 },
  { kind: 'switch', name: 'mirror', initial: false },
  { kind: 'choice', name: 'resize', values: ['none', 'percent', 'pixels'], initial: 'none' },
  { kind: 'range', name: 'percent', min: 1, max: 200, step: 1, initial: 50 },
  side('width'),
  side('height'),
  { kind: 'choice', name: 'fit', values: ['inside', 'cover', 'stretch'], initial: 'inside' },
];

/** Fields of the encoders, except quality. The API has none of them. */
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

/** Reports whether the encoder of the chosen format has a setting. */
export function encoderHas(field: string, { to_format }: ParamValues): boolean {
  return (findTarget(String(to_format))?.tuning ?? []).some((setting) => FIELD_OF[setting] === field);
}

/** Returns the settings that the values mean; undefined when all are as they were. */
export function deviceSettings(values: ParamValues): DeviceSettings | undefined {
  const adjustments = getAdjustments(values);
  const tuning = getTuning(values);
  if (!adjustments && !tuning) return undefined;
  return { ...(adjustments && { adjustments }), ...(tuning && { tuning }) };
}

function getAdjustments(values: ParamValues): Adjustments | undefined {
  const quarterTurns = Number(values.turn ?? 0) as 0 | 1 | 2 | 3;
  const isMirrored = values.mirror === true;
  const resizing = getResizing(values);
  if (quarterTurns === 0 && !isMirrored && !resizing) return undefined;
  return { orientation: { quarterTurns, isMirrored }, ...(resizing && { resizing }) };
}

function getResizing({ resize, percent, width, height, fit }: ParamValues): Resizing | undefined {
  if (resize === 'percent') return percent === 100 ? undefined : { by: 'percent', percent: Number(percent) };
  if (resize !== 'pixels' || (width === undefined && height === undefined)) return undefined;
  return {
    by: 'pixels',
    ...(width !== undefined && { width: Number(width) }),
    ...(height !== undefined && { height: Number(height) }),
    fit: fit as 'inside' | 'cover' | 'stretch',
  };
}

function getTuning(values: ParamValues): EncoderTuning | undefined {
  const { lossless, chroma, effort, progressive, colours } = values;
  const effortShare = EFFORTS[String(effort)];
  const tuning: EncoderTuning = {
    ...(lossless === true && { isLossless: true }),
    ...(chroma !== undefined && chroma !== 'auto' && { chroma: chroma as '4:4:4' | '4:2:0' }),
    ...(effortShare !== undefined && { effort: effortShare }),
    ...(progressive === true && { isProgressive: true }),
    ...(colours !== undefined && colours !== 'auto' && { colours: Number(colours) }),
  };
  return Object.keys(tuning).length > 0 ? tuning : undefined;
}
