import { OperationError } from '../../operation/errors.ts';

/** The part of the libheif-js bindings (LGPL-3.0, loaded as a separate module) that decoding uses. */
export interface Libheif {
  readonly heif_error_code: { readonly heif_error_Ok: unknown };
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
  readonly heif_chroma: {
    readonly heif_chroma_interleaved_RGB: unknown;
    readonly heif_chroma_interleaved_RGBA: unknown;
  };
  heif_context_alloc(): object;
  heif_context_free(context: object): void;
  heif_context_read_from_memory(context: object, bytes: Uint8Array): Status;
  heif_js_context_get_primary_image_handle(context: object): object | Status;
  heif_image_handle_get_width(handle: object): number;
  heif_image_handle_get_height(handle: object): number;
  heif_image_handle_has_alpha_channel(handle: object): number;
  heif_image_handle_release(handle: object): void;
  heif_js_decode_image2(handle: object, colorspace: unknown, chroma: unknown): Decoded | Status;
  heif_image_release(image: object): void;
}

interface Status {
  readonly code: unknown;
  readonly message: string;
}

interface Decoded {
  readonly image: object;
  readonly channels: readonly { width: number; height: number; stride: number; data: Uint8Array }[];
}

/** Primary image of a HEIF file, upright, not yet decoded. */
export interface HeifImage {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /**
   * Decodes to 8-bit samples, row by row without padding. Applies grids, rotation, mirroring and cropping.
   * @param samples room for `width * height * channels` bytes
   * @throws OperationError `unprocessable`
   */
  decodeInto(samples: Uint8Array, channels: 3 | 4): void;
  close(): void;
}

/**
 * Opens a HEIF file.
 * @throws OperationError `unprocessable` when the file is no HEIF file or is damaged
 */
export function openHeif(libheif: Libheif, file: Uint8Array): HeifImage {
  const context = libheif.heif_context_alloc();
  const status = libheif.heif_context_read_from_memory(context, file);
  if (status.code !== libheif.heif_error_code.heif_error_Ok) throw damaged(status.message);
  const handle = checked(libheif.heif_js_context_get_primary_image_handle(context));
  const width = libheif.heif_image_handle_get_width(handle);
  const height = libheif.heif_image_handle_get_height(handle);
  return {
    width,
    height,
    hasAlpha: libheif.heif_image_handle_has_alpha_channel(handle) !== 0,
    decodeInto: (samples, channels) => decodeInto(libheif, handle, { width, height, channels, samples }),
    close() {
      libheif.heif_image_handle_release(handle);
      libheif.heif_context_free(context);
    },
  };
}

interface SampleRoom {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly samples: Uint8Array;
}

function decodeInto(libheif: Libheif, handle: object, room: SampleRoom): void {
  const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = libheif.heif_chroma;
  const decoded = checked<Decoded>(
    libheif.heif_js_decode_image2(
      handle,
      libheif.heif_colorspace.heif_colorspace_RGB,
      room.channels === 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
    ),
  );
  const plane = decoded.channels[0];
  if (plane?.width !== room.width || plane.height !== room.height) {
    throw damaged('its coded size differs from the size it states');
  }
  const rowBytes = room.width * room.channels;
  for (let y = 0; y < room.height; y++) {
    room.samples.set(plane.data.subarray(y * plane.stride, y * plane.stride + rowBytes), y * rowBytes);
  }
  libheif.heif_image_release(decoded.image);
}

function checked<Result extends object>(result: Result | Status): Result {
  if ('code' in result) throw damaged((result as Status).message);
  return result;
}

function damaged(reason: string): OperationError {
  const detail = reason.trim().replace(/\.$/, '');
  return new OperationError('unprocessable', `The image is a damaged or unsupported HEIC file: ${detail}.`, {
    kind: 'damaged',
  });
}
