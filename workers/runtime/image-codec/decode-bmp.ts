import { readBmp } from '../../../models/files/bmp/read-bmp.ts';
import type { DecodeOptions, Picture } from '../../../models/image-codec.ts';
import { pictureOf } from '../../../models/kernels/raster/raster-picture.ts';
import type { Loading } from '../assets.ts';
import { applyProfile } from './colours.ts';
import { chooseColours, type Source } from './source.ts';

/**
 * Opens a BMP.
 * @throws OperationError `unprocessable`
 */
export async function openBmp({ bytes }: Source, options: DecodeOptions, loading: Loading): Promise<Picture> {
  const { hasAlpha, icc, ...raster } = readBmp(bytes);
  const { metadata, profile } = chooseColours(icc ? { icc } : {}, options);
  return pictureOf(await applyProfile(raster, { profile }, loading), { hasAlpha, metadata });
}
