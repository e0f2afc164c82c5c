import { fitWithin } from '../../../models/kernels/raster/resize.ts';
import { getImageFormat } from '../../../models/media/image/find-format.ts';
import { inWorker } from '../../../workers/one-shot/one-shot.ts';
import { getQuickPreview, keepThumbnail, storeQuickPreview } from './known-thumbnails.ts';
import { probeImageFile } from './open-bitmap.ts';
import { decodeScaledJpeg } from './scaled-jpeg.ts';

/** Longest side in pixels of what is shown of a JPEG while it is decoded whole. */
const SIDE = 800;
const HEAD_BYTES = 64;

/**
 * Keeps what can be had of an image at once, to be shown while the image itself is decoded: the thumbnail in a HEIC, a
 * JPEG at a fraction of its size. Never rejects: without it, nothing is shown until the image is decoded.
 */
export async function makeQuickPreview(image: Blob, signal: AbortSignal): Promise<void> {
  if (getQuickPreview(image)) return;
  try {
    const format = getImageFormat(new Uint8Array(await image.slice(0, HEAD_BYTES).arrayBuffer()));
    if (format === 'heic') {
      const thumbnail = await inWorker('readThumbnail', [image], { signal });
      if (thumbnail) keepThumbnail(image, thumbnail);
    } else if (format === 'jpeg') {
      const small = await reduceJpeg(image);
      if (small) storeQuickPreview(image, small);
    }
  } catch {}
}

async function reduceJpeg(image: Blob): Promise<Blob | null> {
  const bitmap = await decodeScaledJpeg(image, fitWithin(await probeImageFile(image), SIDE));
  if (!bitmap) return null;
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
  return canvas.convertToBlob({ type: 'image/jpeg' });
}
