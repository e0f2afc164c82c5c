import { fitWithin } from '../../../models/kernels/resize/resize.ts';
import type { ImageFormat } from '../../../models/runtime/image-codec.ts';
import { readThumbnailInWorker } from '../../../workers/one-shot/read-thumbnail.ts';
import { firstSight, keepFirstSight, keepThumbnail } from './known-thumbnails.ts';
import { probeImageFile } from './probe-image.ts';
import { decodeScaledJpeg } from './scaled-jpeg.ts';

/** Longest side in pixels of what is shown of a JPEG while it is decoded whole. */
const SIDE = 800;

/**
 * Keeps what can be had of an image at once, to be shown while the image itself is decoded: the thumbnail in a HEIC, a
 * JPEG at a fraction of its size. Never rejects: without it, nothing is shown meanwhile.
 */
export async function rememberFirstSight(
  image: Blob,
  format: ImageFormat,
  signal: AbortSignal,
): Promise<void> {
  if (firstSight(image)) return;
  try {
    const isHeic = format === 'heic';
    const sight = await (isHeic ? readThumbnailInWorker(image, signal) : reduceJpeg(image));
    if (sight) (isHeic ? keepThumbnail : keepFirstSight)(image, sight);
  } catch {}
}

async function reduceJpeg(image: Blob): Promise<Blob | null> {
  const bitmap = await decodeScaledJpeg(image, fitWithin(await probeImageFile(image), SIDE));
  if (!bitmap) return null;
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
  return canvas.convertToBlob({ type: 'image/jpeg' });
}
