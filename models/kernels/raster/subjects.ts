import type { FloatImage } from '../../core/runtime/raster.ts';
import type { Region } from './crop.ts';

export interface Subjects {
  /** Number of separate subjects. */
  readonly count: number;
  /** Returns the largest subject with its soft edge: the matte without everything else. */
  primary(): FloatImage;
  /** Returns the matte's solid pixels of those components whose area, in pixels, and mean value count. */
  keep(counts: (area: number, mean: number) => boolean): FloatImage;
  /**
   * Returns the bounding box of the solid pixels of all subjects with at least a share of the largest one's area.
   * @returns null without any
   */
  box(shareMin: number): Region | null;
}

/** Matte value from which a pixel certainly belongs to a subject. */
const SOLID = 0.5;
/** Area below which a component is a speck, as a share of the largest subject. */
const SPECK = 0.02;
/** Area below which nothing counts as a subject, as a share of the image. */
const NOTHING = 0.0005;

/**
 * Separates the subjects of a matte: connected components (over edges and corners) of opaque pixels.
 * @param matte one channel, 0 to 1
 */
export function findSubjects(matte: FloatImage): Subjects {
  const { labels, areas } = label(matte);
  const largest = areas.reduce((most, area) => Math.max(most, area), 0);
  const smallestArea = Math.max(largest * SPECK, matte.width * matte.height * NOTHING);
  return {
    count: areas.filter((area) => area >= smallestArea).length,
    primary: () => keepNearest(matte, labels, areas.indexOf(largest) + 1 || NONE),
    keep: (counts) => keepComponents(matte, labels, areas, counts),
    box(shareMin) {
      const areaMin = Math.max(smallestArea, largest * shareMin);
      return boxAround(matte, labels, (name) => (areas[name - 1] ?? 0) >= areaMin);
    },
  };
}

/** Labels besides the subjects' numbers, which start at 1: soft pixels, solid pixels not yet separated, the rest. */
const SOFT = 0;
const UNSEEN = -1;
const EMPTY = -2;
/** Index of no pixel. */
const NONE = -3;

/**
 * Label per pixel, with an empty frame around the image, so that the eight neighbours have fixed offsets and need no
 * bounds check.
 */
interface Labels {
  readonly at: Int32Array;
  /** Offset from one row to the next. */
  readonly stride: number;
  readonly around: readonly number[];
}

function startLabels({ width, height, data }: FloatImage): Labels {
  const stride = width + 2;
  const at = new Int32Array(stride * (height + 2)).fill(EMPTY);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = data[y * width + x];
      if (value > 0) at[(y + 1) * stride + x + 1] = value < SOLID ? SOFT : UNSEEN;
    }
  }
  return { at, stride, around: [-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1] };
}

/**
 * Labels every connected component by flood fill.
 * @returns each component's area too
 */
function label(matte: FloatImage): { labels: Labels; areas: number[] } {
  const labels = startLabels(matte);
  const { at, around } = labels;
  const areas: number[] = [];
  const stack = new Uint32Array(at.length);
  for (let seed = 0; seed < at.length; seed++) {
    if (at[seed] !== UNSEEN) continue;
    const name = areas.length + 1;
    let area = 0;
    at[seed] = name;
    stack[0] = seed;
    for (let waiting = 1; waiting > 0; area++) {
      waiting -= 1;
      const pixel = stack[waiting];
      for (const step of around) {
        if (at[pixel + step] !== UNSEEN) continue;
        at[pixel + step] = name;
        stack[waiting++] = pixel + step;
      }
    }
    areas.push(area);
  }
  return { labels, areas };
}

/** Returns the bounding box of all pixels whose label counts. */
function boxAround(
  { width, height }: FloatImage,
  { at, stride }: Labels,
  counts: (name: number) => boolean,
): Region | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const name = at[(y + 1) * stride + x + 1];
      if (name <= SOFT || !counts(name)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Clears all but the solid pixels of components that count by their area and mean value. */
function keepComponents(
  { width, height, data }: FloatImage,
  { at, stride }: Labels,
  areas: readonly number[],
  counts: (area: number, mean: number) => boolean,
): FloatImage {
  const nameAt = (pixel: number) => at[(Math.floor(pixel / width) + 1) * stride + (pixel % width) + 1];
  const sums = new Float64Array(areas.length);
  data.forEach((value, pixel) => {
    const name = nameAt(pixel);
    if (name > SOFT) sums[name - 1] = sums[name - 1] + value;
  });
  const isKept = areas.map((area, index) => counts(area, sums[index] / area));
  const kept = data.map((value, pixel) => (isKept[nameAt(pixel) - 1] ? value : 0));
  return { width, height, channels: 1, data: kept };
}

/** Assigns soft pixels to the subject that reaches them first, step by step. */
function keepNearest(matte: FloatImage, { at: solid, stride, around }: Labels, kept: number): FloatImage {
  const { width, height } = matte;
  const at = solid.slice();
  const queue = new Uint32Array(width * height);
  let end = 0;
  for (let pixel = 0; pixel < at.length; pixel++) if (at[pixel] > SOFT) queue[end++] = pixel;
  for (let next = 0; next < end; next++) {
    const pixel = queue[next];
    for (const step of around) {
      if (at[pixel + step] !== SOFT) continue;
      at[pixel + step] = at[pixel];
      queue[end++] = pixel + step;
    }
  }
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (at[(y + 1) * stride + x + 1] === kept) data[y * width + x] = matte.data[y * width + x];
    }
  }
  return { ...matte, data };
}
