import type { FloatImage, PixelRegion } from '../../core/runtime/raster.ts';
import { boundingBox } from './crop.ts';
import { forEachNeighbour, labelRegions } from './label-regions.ts';

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
  box(shareMin: number): PixelRegion | null;
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
  const { data, width, height } = matte;
  const solid = Uint8Array.from(data, (value) => (value >= SOLID ? 1 : 0));
  const { labels, areas } = labelRegions(solid, width, height, 8);
  const largest = areas.reduce((most, area) => Math.max(most, area), 0);
  const smallestArea = Math.max(largest * SPECK, width * height * NOTHING);
  return {
    count: areas.filter((area) => area >= smallestArea).length,
    primary: () => keepNearest(matte, labels, areas.indexOf(largest)),
    keep: (counts) => keepRegions(matte, labels, areas, counts),
    box(shareMin) {
      const areaMin = Math.max(smallestArea, largest * shareMin);
      return boundingBox(matte, (pixel) => areas[labels[pixel]] >= areaMin);
    },
  };
}

/** Clears all but the solid pixels of regions that count by their area and mean value. */
function keepRegions(
  { width, height, data }: FloatImage,
  labels: Int32Array,
  areas: readonly number[],
  counts: (area: number, mean: number) => boolean,
): FloatImage {
  const sums = new Float64Array(areas.length);
  labels.forEach((name, pixel) => {
    if (name >= 0) sums[name] += data[pixel];
  });
  const isKept = areas.map((area, name) => counts(area, sums[name] / area));
  return {
    width,
    height,
    channels: 1,
    data: data.map((value, pixel) => (isKept[labels[pixel]] ? value : 0)),
  };
}

/** Assigns soft pixels to the subject that reaches them first, step by step, and clears all but those of one. */
function keepNearest(matte: FloatImage, labels: Int32Array, kept: number): FloatImage {
  const { data } = matte;
  const nearest = labels.slice();
  const queue = new Uint32Array(data.length);
  let end = 0;
  labels.forEach((name, pixel) => {
    if (name >= 0) queue[end++] = pixel;
  });
  for (let next = 0; next < end; next++) {
    const pixel = queue[next];
    forEachNeighbour(matte, pixel, 8, (soft) => {
      if (nearest[soft] >= 0 || !(data[soft] > 0)) return;
      nearest[soft] = nearest[pixel];
      queue[end++] = soft;
    });
  }
  const isKept = (pixel: number) => nearest[pixel] >= 0 && nearest[pixel] === kept;
  return { ...matte, data: data.map((value, pixel) => (isKept(pixel) ? value : 0)) };
}
