import type { Runtime } from '../../core/runtime/runtime.ts';
import { encodeRaster } from './encode-raster.ts';
import { heifThumbnailFile } from './heif/thumbnail-file.ts';
import { readRaster } from './read-raster.ts';

/**
 * Decodes the thumbnail that a camera wrote into a HEIC, upright.
 * @returns a PNG; null where the file has no thumbnail
 * @throws OperationError `bad_request` or `unprocessable` when the file or its thumbnail is damaged
 */
export async function readThumbnail(
  file: Blob,
  codecs: Pick<Runtime, 'images' | 'signal'>,
): Promise<Blob | null> {
  const parts = heifThumbnailFile(new Uint8Array(await file.arrayBuffer()));
  if (!parts) return null;
  const raster = await readRaster(new Blob(parts), codecs);
  return (await encodeRaster(raster, { format: 'png' }, codecs)).blob;
}
