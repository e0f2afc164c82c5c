import type { Picture } from '../../../models/core/runtime/image-codec.ts';
import { pictureOf } from '../../../models/kernels/picture/raster-picture.ts';
import { orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { readDeepPng } from '../../../models/media/image/png/read-png.ts';
import type { Loading } from '../loading/assets.ts';
import { applyProfile } from './colours.ts';
import type { Source } from './source.ts';
import { inflate } from './zlib.ts';

/**
 * Opens a 16-bit PNG.
 * @throws OperationError `unprocessable`
 */
export async function openDeepPng(source: Source, loading: Loading): Promise<Picture> {
  const { hasAlpha, ...raster } = await readDeepPng(source.bytes, inflate);
  const coloured = await applyProfile(raster, source, loading);
  return pictureOf(orientRaster(coloured, source.orientation), { hasAlpha, metadata: source.metadata });
}
