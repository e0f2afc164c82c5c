import { OperationError } from '../../../models/core/operation/errors.ts';
import type { EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { flatten, toEightBits } from '../../../models/kernels/raster/pixel-format.ts';
import { getFormat } from '../../../models/media/image/find-format.ts';
import { stripJpegProfile, stripWebpProfile } from '../../../models/media/image/metadata.ts';
import { readWebpChunks } from '../../../models/media/image/webp/chunks.ts';
import { BitmapPicture, drawBitmap, drawStrips, releaseCanvas } from './pictures.ts';

export type CanvasFormat = 'jpeg' | 'webp';

/** Formats in which some browsers write the canvas's own profile, where another one may belong. */
const WITHOUT_PROFILE = { jpeg: stripJpegProfile, webp: stripWebpProfile };

/** At full quality a browser's WebP encoder switches to lossless, which is not what was requested. */
const QUALITY_MAX = 99;

/**
 * Encodes the first frame with the browser's own encoder.
 * @returns null when this browser has none for the format
 */
export async function encodeOnCanvas(
  picture: Picture,
  format: CanvasFormat,
  options: Pick<EncodeOptions, 'quality' | 'background'>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const canvas = await drawForFormat(picture, format, options);
  const file = await encodeCanvas(canvas, format, options.quality);
  releaseCanvas(canvas);
  return file;
}

/**
 * Encodes a canvas.
 * @returns null when this browser has no encoder for the format
 */
export async function encodeCanvas(
  canvas: OffscreenCanvas,
  format: CanvasFormat,
  quality: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const type = getFormat(format).mediaType;
  const most = format === 'webp' ? QUALITY_MAX : 100;
  const blob = await canvas
    .convertToBlob({ type, quality: Math.min(quality, most) / 100 })
    .catch((cause: unknown) => {
      throw new OperationError(
        'unprocessable',
        `The image of ${canvas.width} x ${canvas.height} pixels does not fit the ${format} format.`,
        { kind: 'too_large_for_format', cause },
      );
    });
  if (blob.type !== type) return null;
  return WITHOUT_PROFILE[format](new Uint8Array(await blob.arrayBuffer()));
}

/**
 * Encodes a canvas as WebP without loss, which some browsers do at full quality.
 * @returns null when this browser does not
 */
export async function encodeCanvasLosslessly(
  canvas: OffscreenCanvas,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 1 }).catch(() => null);
  if (blob?.type !== 'image/webp') return null;
  const file = stripWebpProfile(new Uint8Array(await blob.arrayBuffer()));
  return readWebpChunks(file).some(({ type }) => type === 'VP8L') ? file : null;
}

/** Draws the first frame as a format holds it: over the background where it has no alpha. */
export async function drawForFormat(
  picture: Picture,
  format: CanvasFormat,
  { background }: Pick<EncodeOptions, 'background'>,
): Promise<OffscreenCanvas> {
  if (picture instanceof BitmapPicture) return drawBitmap(picture.bitmap);
  const hasAlpha = picture.hasAlpha && getFormat(format).holds.alpha;
  const isFlattened = picture.hasAlpha && !hasAlpha;
  return drawStrips(picture, { hasAlpha }, (strip) =>
    toEightBits(isFlattened ? flatten(strip, background) : strip),
  );
}
