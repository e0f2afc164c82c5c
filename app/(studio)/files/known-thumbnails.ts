import { Cell } from '../../state/cell.ts';

/** Thumbnails of images that the browser itself cannot decode, made once their conversion is there. */
const known = new WeakMap<Blob, Blob>();

/** Number of thumbnails made, for components that show them. */
export const thumbnailChanges = new Cell(0);

/** Returns the thumbnail of an image that was converted to be shown; undefined before. */
export function knownThumbnail(image: Blob): Blob | undefined {
  return known.get(image);
}

export function keepThumbnail(image: Blob, thumbnail: Blob): void {
  known.set(image, thumbnail);
  thumbnailChanges.set((before) => before + 1);
}
