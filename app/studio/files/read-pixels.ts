import type { Raster8 } from '../../../models/core/runtime/raster.ts';
import type { Region } from '../../../models/kernels/raster/crop.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the pixels of an image, scaled to a size.
 * @param from part of the image to read; all of it when absent
 */
export function readPixels(source: CanvasImageSource, { width, height }: Size, from?: Region): Raster8 {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no canvas.');
  if (from) context.drawImage(source, from.left, from.top, from.width, from.height, 0, 0, width, height);
  else context.drawImage(source, 0, 0, width, height);
  return { width, height, data: new Uint8Array(context.getImageData(0, 0, width, height).data) };
}
