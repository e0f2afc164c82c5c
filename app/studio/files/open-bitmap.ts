import type { ReportProgress } from '../../../models/core/runtime/progress.ts';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { fitWithin } from '../../../models/kernels/resize/resize.ts';
import { probeImageFile } from './probe-image.ts';
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
