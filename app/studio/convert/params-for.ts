import { getImageSize } from '../files/image-sizes.ts';
import type { Field, ParamValues } from '../tools/fields.ts';
import { getRelevantValues } from '../tools/wording.ts';
import { followsSize, geometryFor } from './file-geometry.ts';
import { CONVERT_WORDING } from './wording.ts';

/** Returns the params of a conversion of one file. @param fields of the operation */
export function paramsFor(fields: readonly Field[], file: File, values: ParamValues): ParamValues {
  const params = getRelevantValues(fields, CONVERT_WORDING, values);
  return followsSize(values) ? geometryFor(params, values, getImageSize(file)) : params;
}
