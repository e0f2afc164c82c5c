import { OperationError } from '../../core/operation/errors.ts';
import type { ImageSize } from '../../core/runtime/raster.ts';
import { assertNotEmpty, ByteWindow } from '../bytes/byte-window.ts';
import { getFormat, getImageFormat, getNames, SIGNATURE_BYTES } from './find-format.ts';
import type { ImageFormat } from './formats.ts';

export interface ImageFacts extends ImageSize {
  readonly mediaType: `image/${string}`;
  readonly format: ImageFormat;
  /** Whether a PNG, AVIF or HEIC announces several frames; absent where it does not, and for other formats. */
  readonly isAnimated?: true;
}

export interface ImageLimits {
  /** Limit on width times height. */
  readonly pixelsMax: number;
  /** Limit on width and height; none when absent. */
  readonly sideMax?: number;
  /** Accepted formats; all known formats when absent. */
  readonly formats?: readonly string[];
}

/**
 * Reads format and size from header bytes only. Built for untrusted bytes: reads at most half a megabyte.
 * @throws OperationError `bad_request` when the file is empty or no image of an accepted format, the header is
 *   damaged, or the image is too large
 */
export async function probeImage(image: Blob, limits: ImageLimits): Promise<ImageFacts> {
  assertNotEmpty(image, 'image');
  const head = new Uint8Array(await image.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const format = head.length < 12 ? null : getImageFormat(head);
  assertFormat(format, limits);
  const bytes = new ByteWindow(image);
  const { mediaType, load } = getFormat(format);
  const code = await load();
  const stored = await code.readSize(bytes);
  assertWithin(stored, limits);
  const size = (await code.readShownSize?.(bytes, stored)) ?? stored;
  const facts: ImageFacts = { mediaType, format, ...size };
  return (await code.isAnimated?.(bytes)) ? { ...facts, isAnimated: true } : facts;
}

/**
 * Checks the format and size of an image that is known to be one.
 * @throws OperationError `bad_request` when an operation with such limits would refuse it
 */
export function assertImageWithin(
  { format, ...size }: ImageSize & { readonly format: string },
  limits: ImageLimits,
): void {
  assertFormat(format, limits);
  assertWithin(size, limits);
}

function assertFormat(format: string | null, { formats }: ImageLimits): asserts format is ImageFormat {
  if (format && (!formats || formats.some((each) => each === format))) return;
  const known = format
    ? `has the format ${getFormat(format).name}, which is not supported here`
    : 'has an unknown format';
  throw new OperationError('bad_request', `The image ${known}. Send a ${getNames(formats)} file.`, {
    kind: 'unknown_format',
  });
}

function assertWithin({ width, height }: ImageSize, { pixelsMax, sideMax }: ImageLimits): void {
  const refuse = (reason: string, kind?: 'damaged') => {
    throw new OperationError('bad_request', reason, { kind });
  };
  if (width < 1 || height < 1) {
    refuse(`The image has no pixels: its header says ${width} x ${height}.`, 'damaged');
  }
  if (sideMax && Math.max(width, height) > sideMax) {
    refuse(`The image has ${width} x ${height} pixels. At most ${sideMax} x ${sideMax} are allowed.`);
  }
  if (width * height > pixelsMax) {
    const megapixels = (pixels: number) =>
      `${Number((pixels / 1e6).toFixed(pixels < 1e9 ? 2 : 0))} megapixels`;
    refuse(
      `The image has ${width} x ${height} pixels (${megapixels(width * height)}). At most ${megapixels(pixelsMax)} are allowed.`,
    );
  }
}
