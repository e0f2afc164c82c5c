import type { DecodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { pictureOf } from '../../../models/kernels/picture/raster-picture.ts';
import { readBmp } from '../../../models/media/image/bmp/read-bmp.ts';
import type { Loading } from '../loading/assets.ts';
import { applyProfile } from './colours.ts';
import { chooseProfile, type Source } from './source.ts';

/**
 * Opens a BMP.
 * @throws OperationError `unprocessable`
 */
export async function openBmp({ bytes }: Source, options: DecodeOptions, loading: Loading): Promise<Picture> {
  const { hasAlpha, icc, ...raster } = readBmp(bytes);
  const { metadata, profile } = chooseProfile(icc ? { icc } : {}, options);
  return pictureOf(await applyProfile(raster, { profile }, loading), { hasAlpha, metadata });
}
