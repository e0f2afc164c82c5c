import type { DecodeOptions, Picture } from '../../../models/image-codec.ts';
import { readBmp } from '../../../models/kernels/bmp/read-bmp.ts';
import { pictureOf } from '../../../models/kernels/raster-picture.ts';
import type { Loading } from '../assets.ts';
import { applyProfile } from './colours.ts';
import { chooseColours, type Source } from './source.ts';

/** @throws OperationError `unprocessable` */
export async function openBmp({ bytes }: Source, options: DecodeOptions, loading: Loading): Promise<Picture> {
  const { hasAlpha, icc, ...raster } = readBmp(bytes);
  const { metadata, profile } = chooseColours(icc ? { icc } : {}, options);
  return pictureOf(await applyProfile(raster, { profile }, loading), { hasAlpha, metadata });
}
