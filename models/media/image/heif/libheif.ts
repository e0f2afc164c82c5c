import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import { divideByAlpha } from '../../../kernels/raster/pixel-format.ts';
import { ascii, type Bytes } from '../../bytes/byte-writer.ts';
import { findBox, isPremultiplied, readBoxes } from './read-meta.ts';

/** Box that readers skip: ISO 14496-12, 8.1.2. */
const FREE = ascii('free');

/** The type of a box stands before its body. */
const TYPE_BYTES = 4;

/** The part of the libheif-js bindings (LGPL-3.0, loaded as a separate module) that decoding uses. */
export interface Libheif {
  readonly heif_error_code: { readonly heif_error_Ok: unknown };
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
  readonly heif_chroma: {
    readonly heif_chroma_interleaved_RGB: unknown;
    readonly heif_chroma_interleaved_RGBA: unknown;
    readonly heif_chroma_interleaved_RRGGBBAA_LE: unknown;
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
  readonly channels: readonly Plane[];
}

interface Plane {
  readonly width: number;
  readonly height: number;
  /** Bytes per row. */
  readonly stride: number;
  readonly data: Uint8Array;
  readonly bits_per_pixel: number;
}

/** Primary image of a HEIF file, upright, with straight alpha, not yet decoded. */
export interface HeifImage {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /**
   * Decodes to 8-bit samples, row by row without padding. Applies grids, rotation, mirroring and cropping.
   * @param samples room for `width * height * channels` bytes
   * @throws OperationError `unprocessable`
   */
  decodeInto(samples: Bytes, channels: 3 | 4): void;
  /**
   * Decodes to RGBA of 16 bits, whatever the file has.
   * @throws OperationError `unprocessable`
   */
  decodeDeep(): Uint16Array<ArrayBuffer>;
  close(): void;
}

/**
 * Opens a HEIF file.
 * @throws OperationError `unprocessable` when the file is no HEIF file or is damaged
 */
export function openHeif(libheif: Libheif, file: Bytes): HeifImage {
  const context = libheif.heif_context_alloc();
  const handle = getPrimary(libheif, context, file);
  const width = libheif.heif_image_handle_get_width(handle);
  const height = libheif.heif_image_handle_get_height(handle);
  const straighten = isPremultiplied(file) ? divideByAlpha : () => {};
  return {
    width,
    height,
    hasAlpha: libheif.heif_image_handle_has_alpha_channel(handle) !== 0,
    decodeInto(samples, channels) {
      decodeInto(libheif, handle, { width, height, channels, samples });
      if (channels === 4) straighten({ data: samples });
    },
    decodeDeep() {
      const data = decodeDeep(libheif, handle, { width, height });
      straighten({ data });
      return data;
    },
    close() {
      libheif.heif_image_handle_release(handle);
      libheif.heif_context_free(context);
    },
  };
}

/** Reads a file into a context, which it frees on failure. Returns the handle of its primary image. */
function getPrimary(libheif: Libheif, context: object, file: Bytes): object {
  try {
    const status = withoutTracks(file, () => libheif.heif_context_read_from_memory(context, file));
    if (status.code !== libheif.heif_error_code.heif_error_Ok) throw damaged(status.message);
    return checked(libheif.heif_js_context_get_primary_image_handle(context));
  } catch (thrown) {
    libheif.heif_context_free(context);
    throw thrown;
  }
}

interface SampleRoom {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly samples: Uint8Array;
}

function decodeInto(libheif: Libheif, handle: object, room: SampleRoom): void {
  const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = libheif.heif_chroma;
  const chroma = room.channels === 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  const { image, plane } = decodePlane(libheif, handle, chroma, room);
  const rowBytes = room.width * room.channels;
  for (let y = 0; y < room.height; y++) {
    room.samples.set(plane.data.subarray(y * plane.stride, y * plane.stride + rowBytes), y * rowBytes);
  }
  libheif.heif_image_release(image);
}

function decodeDeep(libheif: Libheif, handle: object, size: ImageSize): Uint16Array<ArrayBuffer> {
  const chroma = libheif.heif_chroma.heif_chroma_interleaved_RRGGBBAA_LE;
  const { image, plane } = decodePlane(libheif, handle, chroma, size);
  const scale = 65_535 / (2 ** plane.bits_per_pixel - 1);
  const rowSamples = size.width * 4;
  const samples = new Uint16Array(rowSamples * size.height);
  for (let y = 0; y < size.height; y++) {
    const from = y * plane.stride;
    for (let x = 0; x < rowSamples; x++) {
      const low = plane.data[from + 2 * x];
      samples[y * rowSamples + x] = Math.round((low + 256 * plane.data[from + 2 * x + 1]) * scale);
    }
  }
  libheif.heif_image_release(image);
  return samples;
}

function decodePlane(
  libheif: Libheif,
  handle: object,
  chroma: unknown,
  size: ImageSize,
): { image: object; plane: Plane } {
  const { image, channels } = checked<Decoded>(
    libheif.heif_js_decode_image2(handle, libheif.heif_colorspace.heif_colorspace_RGB, chroma),
  );
  const [plane] = channels;
  if (plane?.width !== size.width || plane.height !== size.height) {
    throw damaged('its coded size differs from the size it states');
  }
  return { image, plane };
}

function checked<Result extends object>(result: Result | Status): Result {
  if ('code' in result) throw damaged(result.message);
  return result;
}

function damaged(reason: string): OperationError {
  const detail = reason.trim().replace(/\.$/, '');
  return new OperationError('unprocessable', `The image is a damaged or unsupported HEIC file: ${detail}.`, {
    kind: 'damaged',
  });
}

/**
 * Lets a reader see a file without its tracks, so that one of a kind unknown to the reader does not keep it from the
 * still image. A file that has tracks only stays as it is.
 * @param file changed for the time of reading
 */
function withoutTracks<Result>(file: Bytes, read: () => Result): Result {
  const boxes = topBoxes(file);
  const moov = findBox(boxes, 'moov');
  const typeAt = moov && findBox(boxes, 'meta') && moov.start - TYPE_BYTES;
  // A long size stands between the type and the body.
  if (typeAt === undefined || String.fromCharCode(...file.subarray(typeAt, typeAt + TYPE_BYTES)) !== 'moov')
    return read();
  file.set(FREE, typeAt);
  try {
    return read();
  } finally {
    file.set(ascii('moov'), typeAt);
  }
}

/** Reads the boxes of a file; none where they are inconsistent, which its decoder judges. */
function topBoxes(file: Bytes): ReturnType<typeof readBoxes> {
  try {
    return readBoxes(new DataView(file.buffer, file.byteOffset, file.byteLength), 0, file.length);
  } catch {
    return [];
  }
}
