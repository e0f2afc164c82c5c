import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import {
  type AspectRatio,
  computeExtent,
  type Extent,
  type ExtentParams,
  type Margins,
  marginsFor,
} from '../../../models/operations/extend/geometry.ts';
import type { ParamValues } from '../tools/fields.ts';

export type { Margins };
export const SIDES = ['left', 'top', 'right', 'bottom'] as const;
export type Side = (typeof SIDES)[number];

/** Most pixels that one side may get. */
export const MARGIN_MAX = 700;

/** Value of a shape that the visitor draws. */
export const FREE = 'Free';

/** Returns the shape that every file gets; undefined where the margins are the visitor's own. */
export function getShape({ shape }: ParamValues): AspectRatio | undefined {
  return shape === FREE ? undefined : (shape as AspectRatio | undefined);
}

/** Names the frame in a few words. */
export function describeFrame(values: ParamValues): string {
  return getShape(values) ?? 'Own edges';
}

/** Returns the margins of an image: those of its shape, or the visitor's own. */
export function getMargins(image: ImageSize | undefined, values: ParamValues): Margins {
  const shape = getShape(values);
  if (shape && image) return marginsFor(image, shape);
  return {
    left: Number(values.expand_left),
    top: Number(values.expand_top),
    right: Number(values.expand_right),
    bottom: Number(values.expand_bottom),
  };
}

/** Returns what makes margins the visitor's own. */
export function freeMargins(margins: Margins): ParamValues {
  return { ...getParams(margins), shape: FREE };
}

/** Returns the params of the frame, for any image. */
export function frameParams(values: ParamValues): ExtentParams {
  const shape = getShape(values);
  const margins = shape ? { left: 0, top: 0, right: 0, bottom: 0 } : getMargins(undefined, values);
  return {
    ...getParams(margins),
    ...(shape && { aspect_ratio: shape }),
    zoom_out_percentage: Number(values.zoom_out_percentage),
  };
}

/** Returns margins as the operation's params. */
export function getParams({ left, top, right, bottom }: Margins) {
  return { expand_left: left, expand_top: top, expand_right: right, expand_bottom: bottom };
}

/** Returns a margin in whole pixels within its limits. */
export function boundedMargin(pixels: number): number {
  return Math.round(Math.min(Math.max(pixels, 0), MARGIN_MAX));
}

/** Reports whether a run would return every image as it is. */
export function addsNothing(values: ParamValues): boolean {
  const zoom = Number(values.zoom_out_percentage);
  const margins = getMargins(undefined, values);
  const isFree = getShape(values) === undefined;
  return isFree && SIDES.every((side) => margins[side] === 0) && (zoom <= 0 || zoom >= 100);
}

/** Returns the position of an image in its result; the image alone where nothing is added. */
export function extentFor({ width, height }: ImageSize, values: ParamValues): Extent {
  try {
    return computeExtent({ width, height }, frameParams(values));
  } catch {
    // A zoom of 99 % leaves a small image as large as it is, and a shape one that has it already.
    return { width, height, kept: { left: 0, top: 0, width, height } };
  }
}
