import { changedFields, type ParamValues } from '../tools/fields.ts';
import { summarise } from '../tools/wording.ts';
import { ENCODER_FIELDS, GEOMETRY_FIELDS } from './device-fields.ts';
import { DEVICE_WORDING } from './device-wording.ts';
import { CONVERT_WORDING } from './wording.ts';

/** Percent, width and height say by themselves how an image is resized. */
const OPTIONS = [...GEOMETRY_FIELDS, ...ENCODER_FIELDS].filter(({ name }) => name !== 'resize');

/** Names the settings of a result: `JPG 80`, `AVIF 62 · 4:4:4`, `WebP · Lossless`. */
export function nameSettings(values: ParamValues): string {
  const { to_format, quality } = CONVERT_WORDING.fields;
  const format = to_format?.choices?.[String(values.to_format)] ?? String(values.to_format);
  const name = quality?.isRelevant?.(values) === false ? format : `${format} ${values.quality}`;
  const options = summarise(changedFields(OPTIONS, values), { fields: DEVICE_WORDING }, values);
  return options ? `${name} · ${options}` : name;
}
