import { fitWithin } from '../../../../models/kernels/resize/resize.ts';
import { viewableBlob } from '../../files/use-viewable.ts';
import type { Pixels } from './find-focus.ts';

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

/** Reads the pixels of an image, scaled to a size. */
export function pixelsOf(bitmap: ImageBitmap, width: number, height: number): Pixels {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no canvas.');
  context.drawImage(bitmap, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}
