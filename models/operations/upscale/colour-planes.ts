import type { PixelRegion, Raster } from '../../core/runtime/raster.ts';

/** Samples of one kind, row by row. */
interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Colours as planes: red, green and blue, one after the other, each row by row; usually 0 to 1. */
export interface ColourPlanes {
  readonly width: number;
  readonly height: number;
  /** `width * height * 3` values. */
  readonly colours: Float32Array<ArrayBuffer>;
}

/** Planes of a region of a raster. */
export interface RegionPlanes extends ColourPlanes {
  /** 0 to 1; null where every pixel is opaque. */
  readonly alpha: Float32Array<ArrayBuffer> | null;
}

/**
 * Reads a region as planes, 0 to 1.
 * @param region may extend beyond the raster, whose edges repeat there
 */
export function getPlanes(raster: Raster, { left, top, width, height }: PixelRegion): RegionPlanes {
  const { data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const size = width * height;
  const colours = new Float32Array(size * 3);
  const alpha = new Float32Array(size);
  const columns = Int32Array.from({ length: width }, (_, x) => 4 * clampTo(left + x, raster.width));
  let isOpaque = true;
  for (let y = 0, to = 0; y < height; y++) {
    const row = clampTo(top + y, raster.height) * raster.width * 4;
    for (let x = 0; x < width; x++, to++) {
      const from = row + columns[x];
      colours[to] = data[from] / most;
      colours[to + size] = data[from + 1] / most;
      colours[to + 2 * size] = data[from + 2] / most;
      const opacity = data[from + 3];
      if (opacity !== most) isOpaque = false;
      alpha[to] = opacity / most;
    }
  }
  return { width, height, colours, alpha: isOpaque ? null : alpha };
}

/** Creates planes of zeros. */
export function emptyPlanes(width: number, height: number, hasAlpha: boolean): RegionPlanes {
  const size = width * height;
  return {
    width,
    height,
    colours: new Float32Array(size * 3),
    alpha: hasAlpha ? new Float32Array(size) : null,
  };
}

/** Cuts a region out of planes that contain it. */
export function cropPlanes(planes: RegionPlanes, region: PixelRegion): RegionPlanes {
  const cropped = emptyPlanes(region.width, region.height, planes.alpha !== null);
  pastePlanes(planes, region, cropped, { ...region, left: 0, top: 0 });
  return cropped;
}

/** Copies a region of planes to one of the same size in others, which both have alpha or do not. */
export function pastePlanes(
  from: RegionPlanes,
  region: PixelRegion,
  into: RegionPlanes,
  place: PixelRegion,
): void {
  const copy = (source: Float32Array, target: Float32Array, planeCount: number) => {
    for (let plane = 0; plane < planeCount; plane++) {
      for (let y = 0; y < region.height; y++) {
        const start = (plane * from.height + region.top + y) * from.width + region.left;
        const to = (plane * into.height + place.top + y) * into.width + place.left;
        target.set(source.subarray(start, start + region.width), to);
      }
    }
  };
  copy(from.colours, into.colours, 3);
  if (from.alpha && into.alpha) copy(from.alpha, into.alpha, 1);
}

/** Share of a restored image in what is enlarged next. The rest is the input: all of it would look waxy. */
const RESTORED_SHARE = 0.75;

/**
 * Restores the colours of planes in their own size.
 * @param restored the planes, restored and twice as large
 */
export function restorePlanes(planes: RegionPlanes, restored: ColourPlanes): RegionPlanes {
  const { width, height } = planes;
  const colours = new Float32Array(planes.colours.length);
  for (let y = 0, at = 0; y < 3 * height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const upper = 2 * y * restored.width + 2 * x;
      const lower = upper + restored.width;
      const four = restored.colours;
      const mean = (four[upper] + four[upper + 1] + four[lower] + four[lower + 1]) / 4;
      colours[at] = RESTORED_SHARE * mean + (1 - RESTORED_SHARE) * planes.colours[at];
    }
  }
  return { ...planes, colours };
}

/** Place of planes in a raster: the region of the planes that is written, and where its corner goes. */
export interface PlanePlacement {
  /** Part of the planes. */
  readonly region: PixelRegion;
  readonly left: number;
  readonly top: number;
}

/** Writes a region of planes into a raster, rounded and limited to its samples. Without alpha it becomes opaque. */
export function writePlanes(
  { width, height, colours, alpha }: RegionPlanes,
  raster: Raster,
  { region, left, top }: PlanePlacement,
): void {
  const { data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const size = width * height;
  for (let y = 0; y < region.height; y++) {
    let from = (region.top + y) * width + region.left;
    let to = ((top + y) * raster.width + left) * 4;
    for (const end = from + region.width; from < end; from++, to += 4) {
      data[to] = getSample(colours[from], most);
      data[to + 1] = getSample(colours[from + size], most);
      data[to + 2] = getSample(colours[from + 2 * size], most);
      data[to + 3] = alpha ? getSample(alpha[from], most) : most;
    }
  }
}

function getSample(value: number, most: number): number {
  return value <= 0 ? 0 : value >= 1 ? most : (value * most + 0.5) | 0;
}

function clampTo(place: number, length: number): number {
  return Math.min(Math.max(place, 0), length - 1);
}

/**
 * Limits each sample of an enlarged plane, in place, to the least and the greatest of the 3 x 3 samples around its
 * origin: next to a hard edge, a network swings out above and below both sides of it.
 * @param enlarged `source`, a whole factor larger
 * @param isLimited says of each sample of the source whether what comes from it is limited; all when absent
 */
export function limitToNeighbours(
  enlarged: Float32Array,
  source: Plane,
  factor: number,
  isLimited?: Uint8Array,
): void {
  const { width, height } = source;
  const least = extremes(source, Math.min);
  const greatest = extremes(source, Math.max);
  for (let y = 0, at = 0; y < height * factor; y++) {
    const row = Math.floor(y / factor) * width;
    for (let x = 0; x < width; x++) {
      if (isLimited && !isLimited[row + x]) {
        at += factor;
        continue;
      }
      const low = least[row + x];
      const high = greatest[row + x];
      for (let step = 0; step < factor; step++, at++) {
        const value = enlarged[at];
        enlarged[at] = value < low ? low : value > high ? high : value;
      }
    }
  }
}

/** Returns the extreme of the 3 x 3 samples around each: of rows, then of columns. */
function extremes(source: Plane, extreme: (...values: number[]) => number): Float32Array {
  const { width, height } = source;
  const across = new Float32Array(source.data.length);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const before = x > 0 ? at - 1 : at;
      const after = x < width - 1 ? at + 1 : at;
      across[at] = extreme(source.data[before], source.data[at], source.data[after]);
    }
  }
  const around = new Float32Array(across.length);
  for (let at = 0; at < across.length; at++) {
    const above = at >= width ? at - width : at;
    const below = at + width < across.length ? at + width : at;
    around[at] = extreme(across[above], across[at], across[below]);
  }
  return around;
}
