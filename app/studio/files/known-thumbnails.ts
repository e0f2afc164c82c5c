import { Cell } from '../../../models/core/cell.ts';

/** Thumbnails of images that the browser itself cannot decode. */
const known = new WeakMap<Blob, Blob>();
/** Small copies of images that the browser decodes itself, but not at once. */
const previews = new WeakMap<Blob, Blob>();

/** Number of thumbnails made, for components that show them. */
export const thumbnailChanges = new Cell(0);

/** Returns the thumbnail of an image that must be converted to be shown; undefined before there is one. */
export function knownThumbnail(image: Blob): Blob | undefined {
  return known.get(image);
}

/** Returns what can be shown of an image while it is decoded, however small; undefined without anything. */
export function getQuickPreview(image: Blob): Blob | undefined {
  return known.get(image) ?? previews.get(image);
}

export function keepThumbnail(image: Blob, thumbnail: Blob): void {
  known.set(image, thumbnail);
  thumbnailChanges.set((before) => before + 1);
}

/** Keeps a small copy of an image that the browser decodes itself. */
export function storeQuickPreview(image: Blob, preview: Blob): void {
  previews.set(image, preview);
  thumbnailChanges.set((before) => before + 1);
}
