import type { FloatImage, Raster, Raster8 } from '../../raster.ts';
import { CELL_SIDE_MAX, cellColours } from './cell-colours.ts';
import { type RowSource, rowsOf } from './row-source.ts';

/** Filter taps: for each target pixel, the first source pixel and the weights of it and those after it. */
interface Taps {
  readonly first: Uint32Array;
  readonly shares: Float32Array;
  /** Weights per target pixel. */
  readonly span: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Reduction left after averaging cells: enough for the triangle filter to hide their borders. */
const LEFT_TO_FILTER = 1.9;

/**
 * Resizes the colours of a raster, red, green, blue from 0 to 1, without aliasing: a triangle filter as wide as the
 * reduction (bilinear for enlargement), over the means of cells for a large reduction. Transparent pixels count as
 * white. Memory: the result and a few rows.
 */
export function resizeColours(raster: Raster, width: number, height: number): FloatImage {
  return imageOf(colourRows(raster, width, height));
}

/** Resizes the colours of a raster as `resizeColours` does, row by row. */
export function colourRows(raster: Raster, width: number, height: number): RowSource {
  const reduction = Math.min(raster.width / width, raster.height / height);
  const side = Math.max(1, Math.min(CELL_SIDE_MAX, Math.floor(reduction / LEFT_TO_FILTER)));
  const extent = { width: raster.width / side, height: raster.height / side };
  return resizedRows(cellColours(raster, side), width, height, extent);
}

/** Resizes the alpha of a raster, one channel from 0 to 1, by the same filter. */
export function resizeAlpha(raster: Raster, width: number, height: number): FloatImage {
  const { data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const read = (y: number, row: Float32Array) => {
    const from = y * raster.width * 4 + 3;
    for (let x = 0; x < row.length; x++) row[x] = (data[from + x * 4] as number) / most;
  };
  const source = { width: raster.width, height: raster.height, channels: 1, read };
  return imageOf(resizedRows(source, width, height));
}

/** Resizes a raster to 8 bits by the same filter; colours of half-transparent pixels are mixed with white. */
export function resizeRaster(raster: Raster, width: number, height: number): Raster8 {
  const colours = resizeColours(raster, width, height).data;
  const alphas = resizeAlpha(raster, width, height).data;
  const data = new Uint8Array(width * height * 4);
  for (let place = 0; place < alphas.length; place++) {
    for (let channel = 0; channel < 3; channel++) {
      data[place * 4 + channel] = Math.round((colours[place * 3 + channel] as number) * 255);
    }
    data[place * 4 + 3] = Math.round((alphas[place] as number) * 255);
  }
  return { width, height, data };
}

/** Resizes a float image by the same filter. */
export function resizeImage(image: FloatImage, width: number, height: number): FloatImage {
  if (image.width === width && image.height === height) return image;
  return imageOf(resizedRows(rowsOf(image), width, height));
}

/** Returns the size of the same shape whose longer side is at most `sideMax`; never larger than the original. */
export function fitWithin(size: Size, sideMax: number): Size {
  const scale = Math.min(1, sideMax / Math.max(size.width, size.height));
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

/** @param extent the part of the source that the result shows: smaller where the last cells are partial */
function resizedRows(source: RowSource, width: number, height: number, extent: Size = source): RowSource {
  return resizeAcross(resizeDown(source, height, extent.height), width, extent.width);
}

function imageOf({ width, height, channels, read }: RowSource): FloatImage {
  const length = width * channels;
  const data = new Float32Array(length * height);
  for (let y = 0; y < height; y++) read(y, data.subarray(y * length, (y + 1) * length));
  return { width, height, channels, data };
}

/** Resizes vertically: reads each row once and holds it while others need it. */
function resizeDown(source: RowSource, height: number, extent: number): RowSource {
  if (extent === height) return source;
  const { first, shares, span } = tapsOf(source.height, height, extent);
  const held = Array.from({ length: span }, () => new Float32Array(source.width * source.channels));
  let next = 0;
  return {
    ...source,
    height,
    read(y, row) {
      const start = first[y] as number;
      for (; next < start + span; next++) source.read(next, held[next % span] as Float32Array);
      const rows = held.map((_, tap) => held[(start + tap) % span] as Float32Array);
      mixRows(rows, shares.subarray(y * span, (y + 1) * span), row);
    },
  };
}

/** Mixes four rows at a time, so that the sums are written once for all of them. */
function mixRows(rows: readonly Float32Array[], shares: Float32Array, into: Float32Array): void {
  const nothing = rows[0] as Float32Array;
  for (let tap = 0; tap < rows.length; tap += 4) {
    const add = tap === 0 ? 0 : 1;
    const a = rows[tap] as Float32Array;
    const b = rows[tap + 1] ?? nothing;
    const c = rows[tap + 2] ?? nothing;
    const d = rows[tap + 3] ?? nothing;
    const p = shares[tap] as number;
    const q = shares[tap + 1] ?? 0;
    const r = shares[tap + 2] ?? 0;
    const s = shares[tap + 3] ?? 0;
    for (let at = 0; at < into.length; at++) {
      into[at] =
        (into[at] as number) * add +
        p * (a[at] as number) +
        q * (b[at] as number) +
        r * (c[at] as number) +
        s * (d[at] as number);
    }
  }
}

function resizeAcross(source: RowSource, width: number, extent: number): RowSource {
  const { channels } = source;
  if (extent === width) return source;
  const taps = tapsOf(source.width, width, extent);
  const wide = new Float32Array(source.width * channels);
  return {
    ...source,
    width,
    read(y, row) {
      source.read(y, wide);
      if (channels === 3) resizeColourRow(wide, taps, row);
      else resizeRow(wide, taps, channels, row);
    },
  };
}

function resizeRow(
  row: Float32Array,
  { first, shares, span }: Taps,
  channels: number,
  into: Float32Array,
): void {
  for (let to = 0; to < first.length; to++) {
    const start = (first[to] as number) * channels;
    for (let channel = 0; channel < channels; channel++) {
      let sum = 0;
      for (let tap = 0, from = start + channel; tap < span; tap++, from += channels) {
        sum += (shares[to * span + tap] as number) * (row[from] as number);
      }
      into[to * channels + channel] = sum;
    }
  }
}

/** Resizes a row of three channels; reads each weight once. */
function resizeColourRow(row: Float32Array, { first, shares, span }: Taps, into: Float32Array): void {
  for (let to = 0, tap = 0; to < into.length; to += 3) {
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let from = (first[to / 3] as number) * 3, end = from + span * 3; from < end; from += 3, tap++) {
      const share = shares[tap] as number;
      red += share * (row[from] as number);
      green += share * (row[from + 1] as number);
      blue += share * (row[from + 2] as number);
    }
    into[to] = red;
    into[to + 1] = green;
    into[to + 2] = blue;
  }
}

function tapsOf(from: number, to: number, extent: number): Taps {
  const scale = extent / to;
  const support = Math.max(1, scale);
  const span = Math.min(from, Math.ceil(support * 2));
  const first = new Uint32Array(to);
  const shares = new Float32Array(to * span);
  for (let place = 0; place < to; place++) {
    const centre = (place + 0.5) * scale;
    const start = Math.max(0, Math.min(from - span, Math.floor(centre - support + 0.5)));
    first[place] = start;
    let sum = 0;
    for (let tap = 0; tap < span; tap++) {
      const share = Math.max(0, 1 - Math.abs(start + tap + 0.5 - centre) / support);
      shares[place * span + tap] = share;
      sum += share;
    }
    for (let tap = 0; tap < span; tap++) {
      shares[place * span + tap] = (shares[place * span + tap] as number) / sum;
    }
  }
  return { first, shares, span };
}
