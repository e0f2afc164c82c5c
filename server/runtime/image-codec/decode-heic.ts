import sharp from 'sharp';
import { type Libheif, openHeif } from '../../../models/files/heif/libheif.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import type { DecodeOptions } from '../../../models/runtime/image-codec.ts';
import { loadLibheif } from './libheif.ts';
import { openSamples } from './open-samples.ts';
import { metadataOf, type SharpPicture } from './sharp-picture.ts';

/** An instance that held a larger image is dropped, so that its memory comes back. */
const KEPT_PIXELS_MAX = 16_000_000;

let kept: Libheif | undefined;

/**
 * Decodes the primary image of a HEIF file with libheif, including grids, rotation, mirroring, cropping and alpha.
 * @throws OperationError `unprocessable`
 */
export async function openHeic(
  input: Uint8Array<ArrayBuffer>,
  options: DecodeOptions,
): Promise<SharpPicture> {
  const metadata = await sharp(input)
    .metadata()
    .then(metadataOf, () => ({}));
  const libheif = kept ?? loadLibheif();
  kept = undefined;
  try {
    const image = openHeif(libheif, input);
    const { width, height, hasAlpha } = image;
    options.signal.throwIfAborted();
    const channels = hasAlpha ? 4 : 3;
    const picture = openSamples({ width, height, channels, hasAlpha, metadata }, options, (samples) =>
      image.decodeInto(samples, channels),
    );
    image.close();
    if (width * height <= KEPT_PIXELS_MAX) kept = libheif;
    return picture;
  } catch (cause) {
    if (cause instanceof OperationError || options.signal.aborted) throw cause;
    throw new OperationError('unprocessable', 'The image is a damaged HEIC file: decoding it failed.', {
      cause,
    });
  }
}
