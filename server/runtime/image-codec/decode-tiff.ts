import type { DecodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { addWarnings } from '../../../models/kernels/raster/picture.ts';
import type { Bytes } from '../../../models/media/bytes/byte-writer.ts';
import { readColours } from '../../../models/media/image/colours.ts';
import { getOrientation } from '../../../models/media/image/exif/exif.ts';
import { readMetadata } from '../../../models/media/image/metadata.ts';
import {
  type OwnPages,
  pictureOfPages,
  planTiffPages,
} from '../../../models/media/image/tiff/open-own-pages.ts';
import { applyColours } from './apply-colours.ts';
import { METADATA_BYTES_MAX, openColoured } from './open-coloured.ts';
import { inflateAtMost } from './zlib.ts';

const inflateWithin = (packed: Bytes, bytesMax: number) => inflateAtMost(bytesMax)(packed);

/**
 * Opens a TIFF: with sharp where libvips reads its kind right, else with our own decoder.
 * @throws OperationError `unprocessable`
 */
export async function openTiff(file: Bytes, options: DecodeOptions): Promise<Picture> {
  const decoding = { frames: options.frames, orientation: getOrientation(file), inflate: inflateWithin };
  const { own, frames, warnings } = await planTiffPages(file, decoding);
  options.signal.throwIfAborted();
  return addWarnings(
    await (own ? openOwn(file, own, options) : openColoured(file, 'tiff', { ...options, frames })),
    warnings,
  );
}

async function openOwn(file: Bytes, pages: OwnPages, options: DecodeOptions): Promise<Picture> {
  const { metadata } = await readMetadata(file, 'tiff', inflateAtMost(METADATA_BYTES_MAX));
  const { icc: _, ...others } = metadata;
  const picture = pictureOfPages(pages, others);
  return pages.isSrgb ? picture : applyColours(picture, await readColours(file, 'tiff', metadata), options);
}
