import type { ImageSize } from '../../core/runtime/raster.ts';

interface RegionLabels {
  /** Number of each pixel's region, from 0; -1 outside of all. */
  readonly labels: Int32Array<ArrayBuffer>;
  /** Pixels of each region. */
  readonly areas: readonly number[];
  /** Whether each region touches the border of the image. */
  readonly touchesBorder: readonly boolean[];
}

const OUTSIDE = -1;
const UNSEEN = -2;

/**
 * Labels the connected regions of a mask by flood fill.
 * @param mask 1 within; row by row
 * @param neighbours 4: over edges only, so that a line of touching corners separates; 8: over corners as well
 */
export function labelRegions(
  mask: Uint8Array,
  width: number,
  height: number,
  neighbours: 4 | 8,
): RegionLabels {
  const labels = Int32Array.from(mask, (value) => (value ? UNSEEN : OUTSIDE));
  const areas: number[] = [];
  const touchesBorder: boolean[] = [];
  const stack = new Uint32Array(labels.length);
  for (let seed = 0; seed < labels.length; seed++) {
    if (labels[seed] !== UNSEEN) continue;
    const name = areas.length;
    let area = 0;
    let isAtBorder = false;
    let waiting = 1;
    stack[0] = seed;
    labels[seed] = name;
    while (waiting > 0) {
      const pixel = stack[--waiting];
      area++;
      const isWithin = forEachNeighbour({ width, height }, pixel, neighbours, (next) => {
        if (labels[next] !== UNSEEN) return;
        labels[next] = name;
        stack[waiting++] = next;
      });
      if (!isWithin) isAtBorder = true;
    }
    areas.push(area);
    touchesBorder.push(isAtBorder);
  }
  return { labels, areas, touchesBorder };
}

/**
 * Calls `visit` with each neighbour of a pixel within an image, row by row; pixels are given by their index.
 * @returns whether the pixel has all its neighbours, so that it does not lie at the border
 */
export function forEachNeighbour(
  { width, height }: ImageSize,
  pixel: number,
  neighbours: 4 | 8,
  visit: (neighbour: number) => void,
): boolean {
  const x = pixel % width;
  const y = (pixel - x) / width;
  for (let down = -1; down <= 1; down++) {
    if (y + down < 0 || y + down >= height) continue;
    for (let along = -1; along <= 1; along++) {
      if (x + along < 0 || x + along >= width) continue;
      if (neighbours === 4 && down !== 0 && along !== 0) continue;
      if (down !== 0 || along !== 0) visit(pixel + down * width + along);
    }
  }
  return x > 0 && y > 0 && x < width - 1 && y < height - 1;
}
