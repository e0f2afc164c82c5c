import { fitWithin } from '../../../models/kernels/resize/resize.ts';
import type { ReportProgress } from '../../../models/runtime/progress.ts';
import { probeImageFile } from './probe-image.ts';
import { viewableBlob } from './use-viewable.ts';

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
  const { width, height } = fitWithin(await probeImageFile(viewable), sideMax);
  return createImageBitmap(viewable, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' });
}
