import type { FloatImage, ImageSize, PixelRegion, Raster8 } from '../../../../models/core/runtime/raster.ts';
import { scaleRegion } from '../../../../models/kernels/raster/crop.ts';
import { fitWithin } from '../../../../models/kernels/raster/resize.ts';
import { castShadow } from '../../../../models/operations/remove-bg/cast-shadow.ts';
import { type Layout, shrinkLayout } from '../../../../models/operations/remove-bg/lay-out-subject.ts';
import type { Shadow } from '../../../../models/operations/remove-bg/place-subject.ts';
import { mapToStamp } from '../../../../models/operations/remove-bg/stamp.ts';
import { readPixels } from '../../files/open-bitmap.ts';

/** Longest side of the preview in pixels. */
const PREVIEW_SIDE = 1600;
/** Longest side of the silhouette that casts the shadow, in pixels. */
const SILHOUETTE_SIDE = 256;

/** Cast shadow, with its opacity, 0 to 1. */
interface PlacedShadow {
  readonly map: FloatImage;
  readonly strength: number;
}

/**
 * Draws a placed cutout as the file will have it: the same layout and the same shadow, scaled by the browser.
 * @param image size of the image that `bitmap` shows smaller
 */
export function drawPlaced(
  context: CanvasRenderingContext2D,
  bitmap: ImageBitmap,
  { image, layout, shadow }: { image: ImageSize; layout: Layout; shadow: PlacedShadow | null },
): void {
  const { canvas } = context;
  const size = fitWithin(layout, PREVIEW_SIDE);
  const view = shrinkLayout(layout, size.width / layout.width, bitmap.width / image.width);
  canvas.width = view.width;
  canvas.height = view.height;
  context.imageSmoothingQuality = 'high';
  if (shadow) {
    context.drawImage(asCanvas(shadow.map, shadow.strength), 0, 0, view.width, view.height);
  }
  const { box, centre, scale, angle } = view;
  context.translate(centre.x, centre.y);
  context.rotate((angle * Math.PI) / 180);
  context.scale(scale, scale);
  const { left, top, width, height } = box;
  context.drawImage(bitmap, left, top, width, height, -width / 2, -height / 2, width, height);
}

/**
 * Reads the silhouette that casts the shadow of a subject.
 * @param reduction pixels of the bitmap per pixel of the image
 */
export function readSilhouette(bitmap: ImageBitmap, box: PixelRegion, reduction: number): Raster8 {
  const shown = scaleRegion(box, reduction);
  return readPixels(bitmap, fitWithin(shown, SILHOUETTE_SIDE), shown);
}

/** Casts the shadow of a silhouette that lies as a layout says. */
export function castPlacedShadow(silhouette: Raster8, layout: Layout, kind: Shadow['kind']): FloatImage {
  const map = mapToStamp(silhouette, layout, silhouette.width / layout.box.width);
  return castShadow({ raster: silhouette, map }, layout, kind);
}

function asCanvas({ width, height, data }: FloatImage, strength: number): OffscreenCanvas {
  const pixels = new ImageData(width, height);
  for (let place = 0; place < data.length; place++) {
    pixels.data[place * 4 + 3] = Math.round(data[place] * strength * 255);
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  return canvas;
}
