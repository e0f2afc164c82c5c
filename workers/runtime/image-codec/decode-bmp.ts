import type { DecodeOptions, Picture } from '../../../models/image-codec.ts';
import { readBmp } from '../../../models/kernels/bmp/read-bmp.ts';
import { applyProfile } from './colours.ts';
import { pictureOf } from './pictures.ts';
import { chooseColours, type Source } from './source.ts';

/** @throws OperationError `unprocessable` */
export function openBmp({ bytes }: Source, options: DecodeOptions): Picture {
  const { hasAlpha, icc, ...raster } = readBmp(bytes);
  const { metadata, profile } = chooseColours(icc ? { icc } : {}, options);
  applyProfile(raster, { profile });
  return pictureOf(raster, { hasAlpha, metadata });
}
