import type { ImageSize, PixelRegion } from '../../core/runtime/raster.ts';
import type { RowSource } from './picture.ts';

/** Symmetric resampling filter. A reduction widens it by its factor. */
export interface Filter {
  /** Distance from which on all weights are 0, in source pixels. */
  readonly radius: number;
  weightAt(distance: number): number;
}

/** Bilinear for enlargement, a tent as wide as the reduction else. */
const TRIANGLE: Filter = {
  radius: 1,
  weightAt: (distance) => Math.max(0, 1 - Math.abs(distance)),
};

/** Filter taps: for each target pixel, the first source pixel and the weights of it and those after it. */
interface Taps {
  readonly first: Uint32Array;
  readonly shares: Float32Array;
  /** Weights per target pixel. */
  readonly span: number;
}

interface ResizeOptions {
  /** Part of the source that the result shows: smaller where the last cells are partial. By default all of it. */
  readonly extent?: ImageSize;
  readonly filter?: Filter;
  /** Part of the result that is computed. By default all of it. */
  readonly region?: PixelRegion;
}

/** Target pixels of one axis that are computed. */
interface Range {
  readonly from: number;
  readonly count: number;
}

/** Vertical reduction above which rows are made narrow before they are held: so many wide ones take much memory. */
const STRONG_REDUCTION = 16;

/** Resizes row by row. Memory: a few rows. */
export function resizedRows(
  source: RowSource,
  width: number,
  height: number,
  { extent = source, filter = TRIANGLE, region = { left: 0, top: 0, width, height } }: ResizeOptions = {},
): RowSource {
  const across = { from: region.left, count: region.width };
  const down = { from: region.top, count: region.height };
  if (extent.height > STRONG_REDUCTION * height && width < source.width) {
    const narrow = resizeAcross(source, width, { extent: extent.width, filter, range: across });
    return resizeDown(narrow, height, { extent: extent.height, filter, range: down });
  }
  const low = resizeDown(source, height, { extent: extent.height, filter, range: down });
  return resizeAcross(low, width, { extent: extent.width, filter, range: across });
}

interface AxisOptions {
  readonly extent: number;
  readonly filter: Filter;
  readonly range: Range;
}

/** Resizes vertically: reads each row once and holds it while others need it. */
function resizeDown(source: RowSource, height: number, options: AxisOptions): RowSource {
  if (options.extent === height && options.range.count === height) return source;
  const { first, shares, span } = getTaps(source.height, height, options);
  const held = Array.from({ length: span }, () => new Float32Array(source.width * source.channels));
  let next = first[0];
  return {
    ...source,
    height: options.range.count,
    read(y, row) {
      const start = first[y];
      for (; next < start + span; next++) source.read(next, held[next % span]);
      const rows = held.map((_, tap) => held[(start + tap) % span]);
      mixRows(rows, shares.subarray(y * span, (y + 1) * span), row);
    },
  };
}

/** Mixes four rows at a time, so that the sums are written once for all of them. */
function mixRows(rows: readonly Float32Array[], shares: Float32Array, into: Float32Array): void {
  const nothing = rows[0];
  for (let tap = 0; tap < rows.length; tap += 4) {
    const add = tap === 0 ? 0 : 1;
    const a = rows[tap];
    const b = rows[tap + 1] ?? nothing;
    const c = rows[tap + 2] ?? nothing;
    const d = rows[tap + 3] ?? nothing;
    const p = shares[tap];
    const q = shares[tap + 1] ?? 0;
    const r = shares[tap + 2] ?? 0;
    const s = shares[tap + 3] ?? 0;
    for (let at = 0; at < into.length; at++) {
      into[at] = into[at] * add + p * a[at] + q * b[at] + r * c[at] + s * d[at];
    }
  }
}

function resizeAcross(source: RowSource, width: number, options: AxisOptions): RowSource {
  const { channels } = source;
  if (options.extent === width && options.range.count === width) return source;
  const taps = getTaps(source.width, width, options);
  const wide = new Float32Array(source.width * channels);
  return {
    ...source,
    width: options.range.count,
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
    const start = first[to] * channels;
    for (let channel = 0; channel < channels; channel++) {
      let sum = 0;
      for (let tap = 0, from = start + channel; tap < span; tap++, from += channels) {
        sum += shares[to * span + tap] * row[from];
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
    for (let from = first[to / 3] * 3, end = from + span * 3; from < end; from += 3, tap++) {
      const share = shares[tap];
      red += share * row[from];
      green += share * row[from + 1];
      blue += share * row[from + 2];
    }
    into[to] = red;
    into[to + 1] = green;
    into[to + 2] = blue;
  }
}

function getTaps(from: number, to: number, { extent, filter, range }: AxisOptions): Taps {
  const scale = extent / to;
  const width = Math.max(1, scale);
  const support = filter.radius * width;
  const span = Math.min(from, Math.ceil(support * 2));
  const first = new Uint32Array(range.count);
  const shares = new Float32Array(range.count * span);
  for (let pixel = 0; pixel < range.count; pixel++) {
    const centre = (range.from + pixel + 0.5) * scale;
    const start = Math.max(0, Math.min(from - span, Math.floor(centre - support + 0.5)));
    first[pixel] = start;
    let sum = 0;
    for (let tap = 0; tap < span; tap++) {
      const share = filter.weightAt((start + tap + 0.5 - centre) / width);
      shares[pixel * span + tap] = share;
      sum += share;
    }
    for (let tap = 0; tap < span; tap++) {
      shares[pixel * span + tap] = shares[pixel * span + tap] / sum;
    }
  }
  return { first, shares, span };
}
