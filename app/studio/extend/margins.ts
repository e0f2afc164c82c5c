import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { computeExtent, type Extent } from '../../../models/operations/extend/geometry.ts';
import type { ParamValues } from '../tools/fields.ts';

export const SIDES = ['left', 'top', 'right', 'bottom'] as const;
export type Side = (typeof SIDES)[number];

/** Pixels added on each side. */
export type Margins = Readonly<Record<Side, number>>;

/** Most pixels that one side may get. */
export const MARGIN_MAX = 700;

/** Ratios to choose from, width to height. */
export const RATIOS = {
  '1:1': 1,
  '4:5': 4 / 5,
  '3:2': 3 / 2,
  '16:9': 16 / 9,
  '9:16': 9 / 16,
} as const;
export type Ratio = keyof typeof RATIOS;

export function marginsOf(values: ParamValues): Margins {
  return {
    left: Number(values.expand_left),
    top: Number(values.expand_top),
    right: Number(values.expand_right),
    bottom: Number(values.expand_bottom),
  };
}

/** Returns margins as the operation's params. */
export function paramsOf({ left, top, right, bottom }: Margins) {
  return { expand_left: left, expand_top: top, expand_right: right, expand_bottom: bottom };
}

/** Returns a margin in whole pixels within its limits. */
export function boundedMargin(pixels: number): number {
  return Math.round(Math.min(Math.max(pixels, 0), MARGIN_MAX));
}

/**
 * Returns the smallest margins that give an image a ratio, the same on both sides to a pixel.
 * @returns `isReached` false when a side would need more than `MARGIN_MAX`
 */
export function marginsFor(
  { width, height }: ImageSize,
  ratio: number,
): { readonly margins: Margins; readonly isReached: boolean } {
  const isWider = width / height < ratio;
  const added = isWider ? Math.round(height * ratio) - width : Math.round(width / ratio) - height;
  const [first, second] = [Math.floor(added / 2), Math.ceil(added / 2)];
  const [one, other] = [boundedMargin(first), boundedMargin(second)];
  const margins = isWider
    ? { left: one, right: other, top: 0, bottom: 0 }
    : { left: 0, right: 0, top: one, bottom: other };
  return { margins, isReached: second <= MARGIN_MAX };
}

/**
 * Returns the ratio whose margins are chosen; undefined where they are others.
 * @param preferred ratio to return where several have these margins, as ratios beyond `MARGIN_MAX` do
 */
export function ratioOf(image: ImageSize, margins: Margins, preferred?: Ratio): Ratio | undefined {
  const isChosen = (ratio: Ratio) => {
    const { margins: own } = marginsFor(image, RATIOS[ratio]);
    return SIDES.every((side) => own[side] === margins[side]);
  };
  const ratios = Object.keys(RATIOS) as Ratio[];
  return [...(preferred ? [preferred] : []), ...ratios].find(isChosen);
}

/** Reports whether a run would return the image as it is. */
export function addsNothing(values: ParamValues): boolean {
  const zoom = Number(values.zoom_out_percentage);
  return SIDES.every((side) => marginsOf(values)[side] === 0) && (zoom <= 0 || zoom >= 100);
}

/** Returns the position of an image in its result; the image alone where nothing is added. */
export function extentFor({ width, height }: ImageSize, values: ParamValues): Extent {
  const zoom = Number(values.zoom_out_percentage);
  try {
    return computeExtent({ width, height }, { ...paramsOf(marginsOf(values)), zoom_out_percentage: zoom });
  } catch {
    // A zoom of 99 % leaves a small image as large as it is.
    return { width, height, kept: { left: 0, top: 0, width, height } };
  }
}
