import sharp from 'sharp';
import { OperationError } from '../../../models/errors.ts';
import type { DecodeOptions } from '../../../models/image-codec.ts';
import { type HeifImage, type HeifStatus, type Libheif, loadLibheif } from './libheif.ts';
import { openSamples } from './open-samples.ts';
import { metadataOf, type SharpPicture } from './sharp-picture.ts';

/** An instance that held a larger picture is dropped, so that its memory comes back. */
const KEPT_PIXELS_MAX = 16_000_000;

let kept: Libheif | undefined;

/**
 * Decodes the primary picture of a HEIF file with libheif: grids, rotation, mirroring, cropping and alpha included.
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
  const context = libheif.heif_context_alloc();
  try {
    check(libheif.heif_context_read_from_memory(context, input), libheif);
    const handle = checked(libheif.heif_js_context_get_primary_image_handle(context));
    const width = libheif.heif_image_handle_get_width(handle);
    const height = libheif.heif_image_handle_get_height(handle);
    const hasAlpha = libheif.heif_image_handle_has_alpha_channel(handle) !== 0;
    options.signal.throwIfAborted();
    const picture = openSamples(
      { width, height, channels: hasAlpha ? 4 : 3, hasAlpha, metadata },
      options,
      (samples) => decodeInto(libheif, handle, hasAlpha ? 4 : 3, { width, height, samples }),
    );
    libheif.heif_image_handle_release(handle);
    if (width * height <= KEPT_PIXELS_MAX) kept = libheif;
    libheif.heif_context_free(context);
    return picture;
  } catch (cause) {
    if (cause instanceof OperationError || options.signal.aborted) throw cause;
    throw new OperationError('unprocessable', 'The image is a damaged HEIC file: decoding it failed.', {
      cause,
    });
  }
}

interface SampleRoom {
  readonly width: number;
  readonly height: number;
  readonly samples: Uint8Array;
}

function decodeInto(libheif: Libheif, handle: object, channels: 3 | 4, room: SampleRoom): void {
  const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = libheif.heif_chroma;
  const decoded = checked<HeifImage>(
    libheif.heif_js_decode_image2(
      handle,
      libheif.heif_colorspace.heif_colorspace_RGB,
      channels === 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
    ),
  );
  const plane = decoded.channels[0];
  if (plane?.width !== room.width || plane.height !== room.height) {
    throw damaged('its coded size differs from the size it states');
  }
  const rowBytes = room.width * channels;
  for (let y = 0; y < room.height; y++) {
    room.samples.set(plane.data.subarray(y * plane.stride, y * plane.stride + rowBytes), y * rowBytes);
  }
  libheif.heif_image_release(decoded.image);
}

function check(status: HeifStatus, libheif: Libheif): void {
  if (status.code !== libheif.heif_error_code.heif_error_Ok) throw damaged(status.message);
}

function checked<Result extends object>(result: Result | HeifStatus): Result {
  if ('code' in result) throw damaged((result as HeifStatus).message);
  return result;
}

function damaged(reason: string): OperationError {
  return new OperationError('unprocessable', `The image is a damaged or unsupported HEIC file: ${reason}.`);
}
