import type { ImageSize, PixelRegion } from '../../../models/core/runtime/raster.ts';
import type { Point } from './stage-geometry.ts';

/** Shortest side of a region, in image pixels. */
export const SIDE_MIN = 8;

/** Returns the region between two opposite corners, in whole pixels, within the image and at least `SIDE_MIN` long. */
export function regionBetween(one: Point, other: Point, image: ImageSize): PixelRegion {
  const along = (from: number, to: number, length: number) => {
    const least = Math.min(SIDE_MIN, length);
    const [start, end] = [Math.min(from, to), Math.max(from, to)].map((at) =>
      Math.round(Math.min(Math.max(at, 0), length)),
    ) as [number, number];
    const side = Math.max(least, end - start);
    return { start: Math.min(start, length - side), side };
  };
  const [x, y] = [along(one.x, other.x, image.width), along(one.y, other.y, image.height)];
  return { left: x.start, top: y.start, width: x.side, height: y.side };
}

/**
 * Returns the region of a shape between a corner that stays and one that is moved, as large as the image allows.
 * @param shape width to height
 */
export function shapedRegion(fixed: Point, moved: Point, image: ImageSize, shape: number): PixelRegion {
  const [right, down] = [moved.x >= fixed.x, moved.y >= fixed.y];
  const room = {
    width: right ? image.width - fixed.x : fixed.x,
    height: down ? image.height - fixed.y : fixed.y,
  };
  const wanted = Math.max(Math.abs(moved.x - fixed.x), Math.abs(moved.y - fixed.y) * shape);
  const width = Math.min(wanted, room.width, room.height * shape);
  const height = width / shape;
  const corner = { x: fixed.x + (right ? width : -width), y: fixed.y + (down ? height : -height) };
  return regionBetween(fixed, corner, image);
}

/** Returns the largest region of a shape, in the middle of the image. @param shape width to height */
export function largestRegion(image: ImageSize, shape: number): PixelRegion {
  const width = Math.min(image.width, image.height * shape);
  const height = width / shape;
  const [left, top] = [(image.width - width) / 2, (image.height - height) / 2];
  return regionBetween({ x: left, y: top }, { x: left + width, y: top + height }, image);
}

/** Moves a region as far as the image allows. */
export function moveRegion(region: PixelRegion, by: Point, image: ImageSize): PixelRegion {
  const within = (at: number, side: number, length: number) =>
    Math.round(Math.min(Math.max(at, 0), length - side));
  return {
    ...region,
    left: within(region.left + by.x, region.width, image.width),
    top: within(region.top + by.y, region.height, image.height),
  };
}

/** Moves the lower right corner of a region. @param shape width to height, where it stays */
export function resizeRegion(
  { left, top, width, height }: PixelRegion,
  by: Point,
  image: ImageSize,
  shape?: number,
): PixelRegion {
  const corner = { x: Math.max(left, left + width + by.x), y: Math.max(top, top + height + by.y) };
  if (shape === undefined) return regionBetween({ x: left, y: top }, corner, image);
  // An arrow moves the corner along one side; the other follows, when it becomes smaller, too.
  const shaped = by.x === 0 ? { x: left, y: corner.y } : { x: corner.x, y: top };
  return shapedRegion({ x: left, y: top }, shaped, image, shape);
}

/** Returns the middle of the image: half as wide and high. */
export function middleRegion({ width, height }: ImageSize): PixelRegion {
  return regionBetween(
    { x: width / 4, y: height / 4 },
    { x: width * 0.75, y: height * 0.75 },
    { width, height },
  );
}

/** Returns a region of a size around a point, moved into the image; the whole of a smaller image. */
export function regionAround({ x, y }: Point, side: ImageSize, image: ImageSize): PixelRegion {
  const width = Math.min(image.width, Math.max(1, Math.round(side.width)));
  const height = Math.min(image.height, Math.max(1, Math.round(side.height)));
  return moveRegion({ left: x - width / 2, top: y - height / 2, width, height }, { x: 0, y: 0 }, image);
}
