import { pause } from '../../../core/concurrency.ts';
import type { Raster } from '../../../core/runtime/raster.ts';
import { type Canvas, clamp } from './fill-level.ts';

/** An image with those sides extended along which it repeats itself. */
export interface Continued<Placed extends Canvas> {
  readonly image: Raster;
  /** Canvas, with the part that is left to fill around it. */
  readonly extent: Placed;
  /** Share of the added pixels that are continued, 0 to 1. */
  readonly share: number;
}

/** Most lines of pixels that are compared, and the length to which they are reduced first, in pixels. */
const [LINES_MAX, LENGTH_MAX] = [96, 512];
/** Groups of neighbouring lines, each of which has to repeat itself. */
const GROUPS = 8;
/** Variance along its lines, in levels of 255, below which a group is even, and has nothing to repeat. */
const EVEN = 3 ** 2;
/** Shortest period, in reduced pixels. */
const PERIOD_MIN = 4;
/** Likeness from which an image repeats itself: all lines together, with few periods to see, and each group. */
const LIKE = { whole: 0.7, few: 0.85, group: 0.5 };
/** Likeness at two periods; how far it falls between repetitions; and how much the shortest of several periods may lack. */
const [TWICE, FALL, SLACK] = [0.6, 0.3, 0.03];
/** Shifts that are compared between two looks at what else is to be done, as at a cancellation. */
const SHIFTS_AT_ONCE = 64;
/** Largest correction of tone, of 255. */
const CORRECTION_MAX = 20;

/** Axis along which an image is extended: distances in samples from pixel to pixel and from line to line. */
interface Axis {
  readonly length: number;
  readonly step: number;
  readonly lines: number;
  readonly lineStep: number;
}

/**
 * Extends an image in phase where it is regular: bricks, slats, dots, stripes. A side is continued when its half of the
 * image equals itself moved by a period (the peak of its autocorrelation), in every part that is not even.
 * @throws the reason of `signal` when it aborts
 */
export async function continuePattern<Placed extends Canvas>(
  image: Raster,
  extent: Placed,
  signal: AbortSignal,
): Promise<Continued<Placed>> {
  const { width, height, kept } = extent;
  const added = width * height - kept.width * kept.height;
  const across = await extendAlong(image, 'across', [kept.left, width - kept.left - kept.width], signal);
  const down = await extendAlong(
    across ?? image,
    'down',
    [kept.top, height - kept.top - kept.height],
    signal,
  );
  const reached = {
    ...kept,
    ...(across && { left: 0, width }),
    ...(down && { top: 0, height }),
  };
  const left = width * height - reached.width * reached.height;
  return {
    image: down ?? across ?? image,
    extent: { ...extent, kept: reached },
    share: added > 0 ? 1 - left / added : 0,
  };
}

/** Extends an image at both ends of an axis; null when it does not repeat itself at one of them, or nothing is added. */
async function extendAlong(
  image: Raster,
  direction: 'across' | 'down',
  [before, after]: readonly [before: number, after: number],
  signal: AbortSignal,
): Promise<Raster | null> {
  if (before + after === 0) return null;
  const { width, height, data } = image;
  const axis: Axis =
    direction === 'across'
      ? { length: width, step: 4, lines: height, lineStep: width * 4 }
      : { length: height, step: width * 4, lines: width, lineStep: 4 };
  const start = before > 0 ? await findShift(data, axis, false, signal) : 0;
  const end = after > 0 ? await findShift(data, axis, true, signal) : 0;
  if (start === null || end === null) return null;
  const size =
    direction === 'across'
      ? { width: width + before + after, height }
      : { width, height: height + before + after };
  const extended =
    data instanceof Uint16Array
      ? new Uint16Array(size.width * size.height * 4)
      : new Uint8Array(size.width * size.height * 4);
  const target: Axis =
    direction === 'across'
      ? { ...axis, length: size.width, lineStep: size.width * 4 }
      : { ...axis, length: size.height };
  const startTone = getTone(data, axis, start, false);
  const endTone = getTone(data, axis, end, true);
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  for (let place = 0; place < target.length; place++) {
    const offset = place - before;
    const isBefore = offset < 0;
    const isAfter = offset >= axis.length;
    const source = isBefore
      ? offset + start * Math.ceil(-offset / start)
      : isAfter
        ? offset - end * Math.ceil((offset - axis.length + 1) / end)
        : offset;
    const tone = isBefore ? startTone : isAfter ? endTone : null;
    for (let line = 0; line < axis.lines; line++) {
      const from = line * axis.lineStep + source * axis.step;
      const to = line * target.lineStep + place * target.step;
      for (let channel = 0; channel < 4; channel++) {
        const value = data[from + channel];
        extended[to + channel] = tone ? clamp(Math.round(value + tone[channel]), 0, most) : value;
      }
    }
  }
  return { ...size, data: extended };
}

/**
 * Finds by how many pixels one half of an image is moved to repeat itself: as many whole periods as fit, since longer
 * pieces repeat less grain, and whole pixels fit a longer distance better.
 * @returns null when that half is not regular
 */
async function findShift(
  data: Raster['data'],
  axis: Axis,
  isEnd: boolean,
  signal: AbortSignal,
): Promise<number | null> {
  const half = Math.floor(axis.length / 2);
  const factor = Math.max(1, Math.ceil(half / LENGTH_MAX));
  const lines = readLines(data, axis, { from: isEnd ? axis.length - half : 0, length: half, factor });
  const length = Math.floor(half / factor);
  const most = Math.floor(length / 2);
  const likeness = Float64Array.from({ length: most + 1 }, (_, shift) =>
    shift === 0 ? 1 : getLikeness(lines, length, shift).whole,
  );
  let lowest = 1;
  let best = 0;
  const peaks: number[] = [];
  for (let shift = 1; shift < most; shift++) {
    const here = likeness[shift];
    const isPeak = shift >= PERIOD_MIN && here >= likeness[shift - 1] && here > likeness[shift + 1];
    if (isPeak && here - lowest >= FALL && here >= (3 * shift <= length ? LIKE.whole : LIKE.few)) {
      peaks.push(shift);
      best = Math.max(best, here);
    }
    lowest = Math.min(lowest, here);
  }
  const period = peaks.find((shift) => likeness[shift] >= best - SLACK);
  if (period === undefined) return null;
  if (2 * period <= most && likeness[2 * period] < TWICE) return null;
  if (getLikeness(lines, length, period).groups.some((group) => group < LIKE.group)) return null;
  const times = Math.max(1, Math.floor(most / period));
  const full =
    factor === 1
      ? lines
      : readLines(data, axis, { from: isEnd ? axis.length - half : 0, length: half, factor: 1 });
  let found = { shift: 0, likeness: LIKE.whole - SLACK };
  const reach = factor * (times + 1);
  const aim = period * times * factor;
  const varianceMax = getVarianceMax(full, half);
  for (
    let shift = Math.max(factor * PERIOD_MIN, aim - reach);
    shift <= Math.min(aim + reach, half - factor);
    shift++
  ) {
    // Thousands of shifts of a large image take long.
    if (shift % SHIFTS_AT_ONCE === 0) await pause(0, signal);
    const { whole } = getLikeness(full, half, shift, (1 - found.likeness) * varianceMax);
    if (whole > found.likeness) found = { shift, likeness: whole };
  }
  return found.shift || null;
}

/** Reads lines of red, green and blue, 0 to 255, reduced by averaging. */
function readLines(
  data: Raster['data'],
  axis: Axis,
  { from, length, factor }: { readonly from: number; readonly length: number; readonly factor: number },
): readonly Float32Array[] {
  const scale = data instanceof Uint16Array ? 257 : 1;
  const count = Math.min(axis.lines, LINES_MAX);
  const reduced = Math.floor(length / factor);
  return Array.from({ length: count }, (_, index) => {
    const line = Math.floor(((index + 0.5) * axis.lines) / count) * axis.lineStep;
    const values = new Float32Array(reduced * 3);
    for (let place = 0; place < reduced * factor; place++) {
      const at = line + (from + place) * axis.step;
      const to = Math.floor(place / factor) * 3;
      for (let channel = 0; channel < 3; channel++) {
        values[to + channel] = values[to + channel] + data[at + channel] / (scale * factor);
      }
    }
    return values;
  });
}

/**
 * Compares lines with themselves, moved: 1 for equal ones, 0 for ones that have nothing in common.
 * @param errorMax sum of squared differences beyond which the likeness of all lines does not matter, and is 0
 * @returns the likeness of all lines together, and of each group of them that is not even
 */
function getLikeness(
  lines: readonly Float32Array[],
  length: number,
  shift: number,
  errorMax = Number.POSITIVE_INFINITY,
): { whole: number; groups: readonly number[] } {
  let [error, variance] = [0, 0];
  const groups: number[] = [];
  for (let name = 0; name < GROUPS && error <= errorMax; name++) {
    const [from, to] = [name, name + 1].map((group) => Math.ceil((group * lines.length) / GROUPS));
    const group = compareLines(lines.slice(from, to), length, shift);
    if (group.variance <= EVEN * group.count) continue;
    error += group.error;
    variance += group.variance;
    groups.push(1 - group.error / group.variance);
  }
  return { whole: variance > 0 && error <= errorMax ? 1 - error / variance : 0, groups };
}

/** Sums the squared differences of lines from themselves, moved, and the variance of what is compared. */
function compareLines(lines: readonly Float32Array[], length: number, shift: number) {
  const compared = { error: 0, variance: 0, count: 0 };
  for (const line of lines) {
    for (let channel = 0; channel < 3; channel++) {
      let [error, sum, squares] = [0, 0, 0];
      const end = (length - shift) * 3;
      for (let at = channel; at < end; at += 3) {
        const one = line[at];
        const other = line[at + shift * 3];
        error += (one - other) ** 2;
        sum += one + other;
        squares += one * one + other * other;
      }
      const count = 2 * (length - shift);
      compared.error += error;
      compared.variance += Math.max(0, squares - (sum * sum) / count);
      compared.count += count;
    }
  }
  return compared;
}

/** Returns the most variance that lines have at any shift: each place is compared twice at most. */
function getVarianceMax(lines: readonly Float32Array[], length: number): number {
  // Not moved, each place is compared twice; the rest is room for rounding.
  return 1.001 * compareLines(lines, length, 0).variance;
}

/** Returns by how much one end of an image differs in tone from what continues it: red, green, blue and alpha. */
function getTone(data: Raster['data'], axis: Axis, shift: number, isEnd: boolean): readonly number[] {
  const sums = [0, 0, 0, 0];
  if (shift === 0) return sums;
  const depth = Math.min(shift, axis.length - shift);
  for (let line = 0; line < axis.lines; line++) {
    for (let inward = 0; inward < depth; inward++) {
      const near = isEnd ? axis.length - 1 - inward : inward;
      const far = isEnd ? near - shift : near + shift;
      for (let channel = 0; channel < 3; channel++) {
        const one = data[line * axis.lineStep + near * axis.step + channel];
        sums[channel] = sums[channel] + one - data[line * axis.lineStep + far * axis.step + channel];
      }
    }
  }
  const most = CORRECTION_MAX * (data instanceof Uint16Array ? 257 : 1);
  return sums.map((sum) => clamp(sum / (axis.lines * depth), -most, most));
}
