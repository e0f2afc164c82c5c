import { type Field, initialValues, type ParamValues } from '../tools/fields.ts';

/**
 * Quality that the page starts with, by format. A number means the same visible quality in each of them, but a photo
 * that was a JPG already gains nothing from one above its own: at 92, the API's default, its WebP is larger than it.
 */
const USUAL: Readonly<Record<string, number>> = { jpg: 80, webp: 80, avif: 75, heic: 75 };

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
