import { Cell } from '../../state/cell.ts';

/** Thumbnails of images that the browser itself cannot decode, made once their conversion is there. */
const known = new WeakMap<Blob, Blob>();

/** Number of thumbnails made, for components that show them. */
export const thumbnailChanges = new Cell(0);

/** Longest side of a thumbnail in pixels. */
const SIDE = 320;

/** Returns the thumbnail of an image that was converted to be shown; undefined before. */
export function knownThumbnail(image: Blob): Blob | undefined {
  return known.get(image);
}

/** Makes the thumbnail of an image from its conversion. Never rejects: without one, the tile keeps its label. */
export async function rememberThumbnail(image: Blob, converted: Blob): Promise<void> {
  if (known.has(image)) return;
  try {
    const bitmap = await createImageBitmap(converted, { resizeWidth: SIDE, resizeQuality: 'medium' });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    known.set(image, await canvas.convertToBlob({ type: 'image/webp' }));
    thumbnailChanges.set((before) => before + 1);
  } catch {}
}
