import { castShadow } from '../../../../models/kernels/placement/cast-shadow.ts';
import { type Layout, shrinkLayout } from '../../../../models/kernels/placement/lay-out-subject.ts';
import type { Shadow } from '../../../../models/kernels/placement/place-subject.ts';
import { mapToStamp } from '../../../../models/kernels/placement/stamp.ts';
import { scaleRegion } from '../../../../models/kernels/raster/crop-raster.ts';
import { fitWithin } from '../../../../models/kernels/resize/resize.ts';
import type { FloatImage } from '../../../../models/runtime/raster.ts';
import type { Size } from '../../stage/view/stage-geometry.ts';

/** Longest side of the preview in pixels. */
const PREVIEW_SIDE = 1600;
/** Longest side of the silhouette that casts the shadow, in pixels. */
const SILHOUETTE_SIDE = 256;

/**
 * Draws a placed cutout as the file will have it: the same layout and the same shadow, scaled by the browser.
 * @param image size of the image that `bitmap` shows smaller
 */
export function drawPlaced(
  context: CanvasRenderingContext2D,
  bitmap: ImageBitmap,
  { image, layout, shadow }: { image: Size; layout: Layout; shadow: Shadow | null },
): void {
  const { canvas } = context;
  const size = fitWithin(layout, PREVIEW_SIDE);
  const view = shrinkLayout(layout, size.width / layout.width, bitmap.width / image.width);
  canvas.width = view.width;
  canvas.height = view.height;
  context.imageSmoothingQuality = 'high';
  if (shadow) {
    const map = shadowOf(bitmap, layout, bitmap.width / image.width, shadow);
    context.drawImage(asCanvas(map, shadow.strength), 0, 0, view.width, view.height);
  }
  const { box, centre, scale, angle } = view;
  context.translate(centre.x, centre.y);
  context.rotate((angle * Math.PI) / 180);
  context.scale(scale, scale);
  const { left, top, width, height } = box;
  context.drawImage(bitmap, left, top, width, height, -width / 2, -height / 2, width, height);
}

function shadowOf(bitmap: ImageBitmap, layout: Layout, reduction: number, { kind }: Shadow): FloatImage {
  const { left, top, width, height } = scaleRegion(layout.box, reduction);
  const small = fitWithin({ width, height }, SILHOUETTE_SIDE);
  const context = new OffscreenCanvas(small.width, small.height).getContext('2d', {
    willReadFrequently: true,
  });
  if (!context) throw new Error('This browser has no canvas.');
  context.drawImage(bitmap, left, top, width, height, 0, 0, small.width, small.height);
  const data = new Uint8Array(context.getImageData(0, 0, small.width, small.height).data);
  const raster = { ...small, data };
  return castShadow({ raster, map: mapToStamp(small, layout, small.width / layout.box.width) }, layout, kind);
}

function asCanvas({ width, height, data }: FloatImage, strength: number): OffscreenCanvas {
  const pixels = new ImageData(width, height);
  for (let place = 0; place < data.length; place++) {
    pixels.data[place * 4 + 3] = Math.round((data[place] as number) * strength * 255);
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  return canvas;
}
