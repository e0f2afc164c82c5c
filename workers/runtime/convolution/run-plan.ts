import type { Kernel, Memory } from './kernel.ts';
import { TILE } from './kernel-sizes.ts';
import { type ConvolutionStep, EDGE, type FeatureMap, type Plan } from './plan.ts';

/**
 * Time in which any row is done by far, and how often a thread waits that long without one: a page that was frozen has
 * used up a single wait when it continues.
 */
const ROW_MS = 1000;
const WAITS_MAX = 10;

/** Means by which a thread runs a plan. */
export interface Thread {
  readonly kernel: Kernel;
  readonly memory: Memory;
  /** From 0 on. */
  readonly index: number;
}

/**
 * Does a thread's share of a plan. Each step is rows, of which the threads take the next one in turn; none begins a step
 * before the last row of the one before is done. A thread that comes late finds less to do.
 * @throws Error when another thread has ended within a row
 */
export function runShare(plan: Plan, { kernel, memory, index }: Thread): void {
  const counters = new Int32Array(memory.buffer, plan.counters[0], plan.counters[1] / 4);
  const bytes = new Uint8Array(memory.buffer);
  const scratch = plan.scratch[index] ?? 0;
  plan.steps.forEach((step, at) => {
    const rows = Math.ceil(step.to.height / TILE);
    shareRows(counters, 2 * at, rows, (row) => convolve(kernel, step, row, scratch, bytes));
  });
  shareRows(counters, 2 * plan.steps.length, plan.height, (row) => enlarge(kernel, plan, row));
}

/** @param at index of the counter of the rows that are taken; the next one counts those that are done */
function shareRows(counters: Int32Array, at: number, count: number, work: (row: number) => void): void {
  for (let row = Atomics.add(counters, at, 1); row < count; row = Atomics.add(counters, at, 1)) {
    try {
      work(row);
    } finally {
      // Also after a fault, which its own thread reports: the others would wait for ever.
      if (Atomics.add(counters, at + 1, 1) === count - 1) Atomics.notify(counters, at + 1);
    }
  }
  waitForRows(counters, at + 1, count);
}

/** Waits until all rows are done. A thread that the browser has ended keeps its row for ever. */
function waitForRows(counters: Int32Array, at: number, count: number): void {
  let waits = 0;
  for (let done = Atomics.load(counters, at); done < count; ) {
    Atomics.wait(counters, at, done, ROW_MS);
    const before = done;
    done = Atomics.load(counters, at);
    waits = done === before ? waits + 1 : 0;
    if (waits === WAITS_MAX) throw new Error('a thread has ended within a run');
  }
}

/** Convolves a row of tiles. */
function convolve(
  kernel: Kernel,
  step: ConvolutionStep,
  tileRow: number,
  scratch: number,
  bytes: Uint8Array,
): void {
  const { from, to, weights, bias, residuals, slope } = step;
  const [first = 0, second = 0] = residuals.map(({ at }) => at - to.at);
  const top = tileRow * TILE;
  const start = to.at + (top + 1) * to.row + to.step;
  kernel.convolveRow(
    ...([from.at + top * from.row, from.row, from.step, from.groups] as const),
    ...([start, to.row, to.step, to.groups] as const),
    ...([weights, bias, residuals.length, first, second, slope] as const),
    Math.ceil(to.width / TILE),
    scratch,
  );
  clearBeyond(to, top, bytes);
}

/** Makes the parts of a row of tiles that lie beyond the map zeros again, as convolutions take them to be. */
function clearBeyond(map: FeatureMap, top: number, bytes: Uint8Array): void {
  for (let y = top; y < top + TILE; y++) {
    const row = map.at + (y + 1) * map.row;
    bytes.fill(0, row + (y < map.height ? map.width + 1 : 1) * map.step, row + map.row);
  }
}

/** Enlarges a row of all planes. */
function enlarge(kernel: Kernel, { width, height, enlarging }: Plan, y: number): void {
  const { scale, planes, row, kernels, corrections, to } = enlarging;
  // A fast network has one correction for all planes, at half the size: two rows of two samples from one of four.
  const isHalved = corrections.height < height;
  const sampleRow = isHalved ? y >> 1 : y;
  const sample = corrections.at + (sampleRow + 1) * corrections.row + corrections.step;
  const [pitch, step, nextStep] = isHalved
    ? ([16, 8, corrections.step - 8] as const)
    : ([8, corrections.step, corrections.step] as const);
  const enlargeRow = scale === 2 ? kernel.enlargeTwice : kernel.enlargeFourfold;
  const toRow = 4 * width * scale;
  for (let plane = 0; plane < 3; plane++) {
    const from = planes + (plane * (height + 2 * EDGE) + y) * row;
    const correction = isHalved ? sample + (y & 1) * 32 : sample + plane * 4 * scale ** 2;
    const start = to + plane * height * scale * toRow + y * scale * toRow;
    enlargeRow(from, row, kernels, correction, pitch, step, nextStep, start, toRow, width);
  }
}
