import type { ReportProgress } from '../../../models/core/runtime/progress.ts';
import type { ImageSize, PixelRegion, Raster8 } from '../../../models/core/runtime/raster.ts';
import { fitWithin } from '../../../models/kernels/raster/resize.ts';
import type { ImageFacts } from '../../../models/media/image/image-header.ts';
import { viewableBlob } from './use-viewable.ts';

/** Smaller files are decoded whole in little time. */
const REDUCED_BYTES_MIN = 1_000_000;

/**
 * Decodes an image at its size, or smaller where that exceeds `sideMax`. @throws DOMException when it cannot be shown
 */
export async function openBitmap(image: Blob, sideMax: number, signal: AbortSignal): Promise<ImageBitmap> {
  const whole = await createImageBitmap(await viewableBlob(image, signal));
  const { width, height } = fitWithin(whole, sideMax);
  if (width === whole.width) return whole;
  const smaller = await createImageBitmap(whole, {
    resizeWidth: width,
    resizeHeight: height,
    resizeQuality: 'high',
  });
  whole.close();
  return smaller;
}

/**
 * Decodes an image as `openBitmap` does, without a second bitmap of its full size. Its header has to name its size, as
 * that of every format but SVG does.
 */
export async function openReducedBitmap(
  image: Blob,
  sideMax: number,
  signal: AbortSignal,
  onProgress?: ReportProgress,
): Promise<ImageBitmap> {
  const viewable = await viewableBlob(image, signal, onProgress);
  const size = fitWithin(await probeImageFile(viewable), sideMax);
  return (await decodeReduced(viewable, size)) ?? resizedBitmap(viewable, size);
}

/** Decodes a large JPEG at a fraction of its size. @returns null where that is not possible, or gains nothing */
export async function decodeReduced(image: Blob, size: ImageSize): Promise<ImageBitmap | null> {
  if (image.size < REDUCED_BYTES_MIN) return null;
  const { decodeScaledJpeg } = await import('./scaled-jpeg.ts');
  return decodeScaledJpeg(image, size).catch(() => null);
}

function resizedBitmap(image: Blob, { width, height }: ImageSize): Promise<ImageBitmap> {
  return createImageBitmap(image, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' });
}

/**
 * Reads format and upright size of an image, with code that is loaded for the first one.
 * @throws OperationError as `probeUprightImage` does
 */
export async function probeImageFile(image: Blob): Promise<ImageFacts> {
  const { probeUprightImage } = await import('../../../models/media/image/upright-image.ts');
  return probeUprightImage(image);
}

/**
 * Reads the pixels of an image, scaled to a size.
 * @param from part of the image to read; all of it when absent
 */
export function readPixels(
  source: CanvasImageSource,
  { width, height }: ImageSize,
  from?: PixelRegion,
): Raster8 {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no canvas.');
  if (from) context.drawImage(source, from.left, from.top, from.width, from.height, 0, 0, width, height);
  else context.drawImage(source, 0, 0, width, height);
  return { width, height, data: new Uint8Array(context.getImageData(0, 0, width, height).data) };
}
