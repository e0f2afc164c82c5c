import { keepThumbnail, knownThumbnail } from './known-thumbnails.ts';

/** Longest side of a thumbnail in pixels. */
const SIDE = 320;

/** Makes the thumbnail of an image from its conversion. Never rejects: without one, the tile keeps its label. */
export async function rememberThumbnail(image: Blob, converted: Blob): Promise<void> {
  if (knownThumbnail(image)) return;
  try {
    const bitmap = await createImageBitmap(converted, { resizeWidth: SIDE, resizeQuality: 'medium' });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    keepThumbnail(image, await canvas.convertToBlob({ type: 'image/webp' }));
  } catch {}
}
