import { readDeepPng } from '../../../models/files/png/read-png.ts';
import type { Picture } from '../../../models/image-codec.ts';
import { orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { pictureOf } from '../../../models/kernels/raster/raster-picture.ts';
import type { Loading } from '../assets.ts';
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
