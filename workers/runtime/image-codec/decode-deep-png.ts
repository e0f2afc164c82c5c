import type { Picture } from '../../../models/image-codec.ts';
import { orientRaster } from '../../../models/kernels/orient-raster.ts';
import { readDeepPng } from '../../../models/kernels/png/read-png.ts';
import { pictureOf } from '../../../models/kernels/raster-picture.ts';
import type { Loading } from '../assets.ts';
import { applyProfile } from './colours.ts';
import type { Source } from './source.ts';
import { inflate } from './zlib.ts';

/** @throws OperationError `unprocessable` */
export async function openDeepPng(source: Source, loading: Loading): Promise<Picture> {
  const { hasAlpha, ...raster } = await readDeepPng(source.bytes, inflate);
  const coloured = await applyProfile(raster, source, loading);
  return pictureOf(orientRaster(coloured, source.orientation), { hasAlpha, metadata: source.metadata });
}
