import type { ImageSize } from '../../../models/core/runtime/raster.ts';

/**
 * Geometry of an image in a well: fit, zoom, pan and pinch. Points in the well are CSS pixels from its upper left
 * corner; points in the image are image pixels. Percentages are of real pixels: at 100 % one image pixel covers one
 * device pixel, so on a screen with two device pixels per CSS pixel the scale is then 0.5.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Steps of the arrow keys. */
export const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

export interface Box extends ImageSize {
  readonly left: number;
  readonly top: number;
}

/** Conditions of every view. */
export interface ViewConditions {
  /** In image pixels. */
  readonly image: ImageSize;
  /** In CSS pixels. */
  readonly well: ImageSize;
  /** Device pixels per CSS pixel. */
  readonly pixelRatio: number;
}

/** Part of an image that a well shows. */
export interface View {
  /** CSS pixels per image pixel. */
  readonly scale: number;
  /** Image point in the middle of the well. */
  readonly centre: Point;
}

/** Largest zoom: 1600 %. */
const ZOOM_MAX = 16;
/** Zoom above which pixels are drawn as squares, so that they can be told apart: 400 %. */
const CRISP_ABOVE = 4;
/** Least zoom of a region over the whole image, as a factor: less would hardly show more. */
const CLOSER = 1.5;
/** Factor of one step by key or button: two steps double the size. */
const STEP = Math.SQRT2;
/** Relative difference that steps and rounding leave. */
const NEAR = 1e-6;
/** Overhang in CSS pixels that rounding may leave; it needs no panning. */
const OVERHANG = 0.5;

/** Returns the scale at which the whole image is as large as the well allows. */
export function fitScale({ image, well }: ViewConditions): number {
  return Math.min(well.width / image.width, well.height / image.height);
}

/** Returns the scale of 100 %. */
export function actualScale({ pixelRatio }: ViewConditions): number {
  return 1 / pixelRatio;
}

/** Returns the view of the whole image. */
export function fitView(setting: ViewConditions): View {
  return clampView({ scale: fitScale(setting), centre: getMiddle(setting.image) }, setting);
}

/**
 * Returns the nearest allowed view: between the whole image, or 100 % where that is smaller, and `ZOOM_MAX`. The image
 * never leaves the well: it covers the well in each direction in which it is longer, and is centred in the other.
 */
export function clampView({ scale, centre }: View, setting: ViewConditions): View {
  const [fit, actual] = [fitScale(setting), actualScale(setting)];
  const allowed = clamp(scale, Math.min(fit, actual), Math.max(fit, actual * ZOOM_MAX));
  const along = (at: number, image: number, well: number): number => {
    const half = well / allowed / 2;
    return image <= half * 2 ? image / 2 : clamp(at, half, image - half);
  };
  const { image, well } = setting;
  return {
    scale: allowed,
    centre: {
      x: along(centre.x, image.width, well.width),
      y: along(centre.y, image.height, well.height),
    },
  };
}

/** Zooms to a scale, and keeps the image point at a point of the well where it is, as far as the bounds allow. */
export function zoomTo(view: View, scale: number, at: Point, setting: ViewConditions): View {
  const allowed = clampView({ ...view, scale }, setting).scale;
  return clampView(
    { scale: allowed, centre: centreFor(toImagePoint(view, at, setting), at, allowed, setting) },
    setting,
  );
}

/** Moves the image by CSS pixels. */
export function panBy({ scale, centre }: View, by: Point, setting: ViewConditions): View {
  return clampView({ scale, centre: { x: centre.x - by.x / scale, y: centre.y - by.y / scale } }, setting);
}

/** Pair of points of the well under two fingers. */
export type PointerPair = readonly [Point, Point];

/** Follows two fingers: the image points between them stay between them. */
export function pinch(view: View, from: PointerPair, to: PointerPair, setting: ViewConditions): View {
  const spread = ([one, other]: PointerPair) => Math.hypot(one.x - other.x, one.y - other.y);
  const between = ([one, other]: PointerPair): Point => ({
    x: (one.x + other.x) / 2,
    y: (one.y + other.y) / 2,
  });
  const factor = spread(from) > 0 ? spread(to) / spread(from) : 1;
  const { scale } = clampView({ ...view, scale: view.scale * factor }, setting);
  const held = toImagePoint(view, between(from), setting);
  return clampView({ scale, centre: centreFor(held, between(to), scale, setting) }, setting);
}

/**
 * Returns the scale at which a region is looked at: 100 %, or 200 % where the whole image is nearly as large as that. A
 * larger view stays as it is.
 */
export function closeScale({ scale }: View, setting: ViewConditions): number {
  const actual = actualScale(setting);
  const close = actual >= fitScale(setting) * CLOSER ? actual : actual * 2;
  return Math.max(scale, close);
}

/** Returns the scale one step larger or smaller. It stops at the whole image and at 100 % on the way. */
export function stepScale({ scale }: View, direction: 1 | -1, setting: ViewConditions): number {
  const next = scale * STEP ** direction;
  const stops = [fitScale(setting), actualScale(setting)].filter(
    (stop) => (stop - scale) * direction > scale * NEAR && (next - stop) * direction > 0,
  );
  return stops.toSorted((one, other) => (one - other) * direction)[0] ?? next;
}

/** Moves the view just as far as needed to show an image point. */
export function revealPoint(view: View, point: Point, setting: ViewConditions): View {
  const { well } = setting;
  const { left, top } = getBox(view, setting);
  const [x, y] = [left + point.x * view.scale, top + point.y * view.scale];
  return panBy(view, { x: clamp(x, 0, well.width) - x, y: clamp(y, 0, well.height) - y }, setting);
}

/** Returns the image's box in the well, in CSS pixels. */
export function getBox({ scale, centre }: View, { image, well }: ViewConditions): Box {
  return {
    left: well.width / 2 - centre.x * scale,
    top: well.height / 2 - centre.y * scale,
    width: image.width * scale,
    height: image.height * scale,
  };
}

/** Returns the image point at a point of the well. */
export function toImagePoint({ scale, centre }: View, { x, y }: Point, { well }: ViewConditions): Point {
  return { x: centre.x + (x - well.width / 2) / scale, y: centre.y + (y - well.height / 2) / scale };
}

/** Returns the zoom in percent of real pixels. */
export function zoomPercent({ scale }: View, setting: ViewConditions): number {
  return (scale / actualScale(setting)) * 100;
}

/** Whether the view shows the whole image, as large as possible. */
export function isFit({ scale }: View, setting: ViewConditions): boolean {
  return Math.abs(scale / fitScale(setting) - 1) < NEAR;
}

/** Whether the image is longer than the well in some direction. */
export function canPan(view: View, setting: ViewConditions): boolean {
  const { width, height } = getBox(view, setting);
  return width > setting.well.width + OVERHANG || height > setting.well.height + OVERHANG;
}

/** Whether pixels are drawn as squares. */
export function isCrisp({ scale }: View, setting: ViewConditions): boolean {
  return scale / actualScale(setting) > CRISP_ABOVE * (1 + NEAR);
}

function centreFor(held: Point, at: Point, scale: number, { well }: ViewConditions): Point {
  return { x: held.x - (at.x - well.width / 2) / scale, y: held.y - (at.y - well.height / 2) / scale };
}

function getMiddle({ width, height }: ImageSize): Point {
  return { x: width / 2, y: height / 2 };
}

/** Brings a value into a range. */
export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
