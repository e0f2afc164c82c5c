import type { Raster } from '../raster.ts';
import type { RowSource } from './row-source.ts';

/**
 * The colours of a raster's rows at a smaller width, red, green, blue from 0 to 1, by a triangle filter as wide as the
 * reduction. What is transparent counts as white. Every pixel lies between the centres of two columns and is shared out
 * between both, so it is read once: the first look at a large photo is mostly this.
 * @param width at most the raster's
 */
export function shrinkColours(raster: Raster, width: number): RowSource {
  const { data } = raster;
  const columns = columnsOf(raster.width, width);
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  return {
    width,
    height: raster.height,
    channels: 3,
    read: (y, row) => shareOut(data, y * raster.width * 4, columns, most, row),
  };
}

interface Columns {
  /** For each pixel, how much of it the column to its right gets. */
  readonly shares: Float32Array;
  /** Where the pixels between the column before and each column end; after the last, where the row ends. */
  readonly ends: Uint32Array;
  /** One through all that each column gets. */
  readonly scales: Float64Array;
}

function columnsOf(from: number, to: number): Columns {
  const shares = new Float32Array(from);
  const ends = new Uint32Array(to + 1);
  const sums = new Float64Array(to + 1);
  for (let x = 0; x < from; x++) {
    const place = ((x + 0.5) * to) / from + 0.5;
    const right = Math.min(to, Math.floor(place));
    const share = place - right;
    shares[x] = share;
    ends[right] = x + 1;
    sums[right] = (sums[right] as number) + share;
    if (right > 0) sums[right - 1] = (sums[right - 1] as number) + 1 - share;
  }
  return { shares, ends, scales: sums.map((sum) => 1 / sum) };
}

function shareOut(
  data: Raster['data'],
  start: number,
  { shares, ends, scales }: Columns,
  most: number,
  row: Float32Array,
): void {
  // What the column to the left of the pixels at hand has got from those on its own left.
  let redBefore = 0;
  let greenBefore = 0;
  let blueBefore = 0;
  for (let column = 0, x = 0, at = start; column < ends.length; column++) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let redShare = 0;
    let greenShare = 0;
    let blueShare = 0;
    for (const end = ends[column] as number; x < end; x++, at += 4) {
      let r = data[at] as number;
      let g = data[at + 1] as number;
      let b = data[at + 2] as number;
      const alpha = data[at + 3] as number;
      if (alpha !== most) {
        const opacity = alpha / most;
        r = most + (r - most) * opacity;
        g = most + (g - most) * opacity;
        b = most + (b - most) * opacity;
      }
      const share = shares[x] as number;
      red += r;
      green += g;
      blue += b;
      redShare += r * share;
      greenShare += g * share;
      blueShare += b * share;
    }
    if (column > 0) {
      const scale = (scales[column - 1] as number) / most;
      row[column * 3 - 3] = (redBefore + red - redShare) * scale;
      row[column * 3 - 2] = (greenBefore + green - greenShare) * scale;
      row[column * 3 - 1] = (blueBefore + blue - blueShare) * scale;
    }
    redBefore = redShare;
    greenBefore = greenShare;
    blueBefore = blueShare;
  }
}
