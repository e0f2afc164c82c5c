import type { FloatImage, PixelRegion, Raster8 } from '../../../core/runtime/raster.ts';
import { LineSampler, lerp } from '../../../kernels/raster/line-sampler.ts';
import { isOpaque } from '../../../kernels/raster/pixel-format.ts';
import type { Backdrop } from '../backdrop.ts';
import { BACKGROUND, FOREGROUND, FOREGROUND_CHANNELS, type Trimap } from './foreground-colours.ts';
import { COEFFICIENTS } from './guided-filter.ts';

export interface Cutout {
  /** From `guidedCoefficients`, at any size. */
  readonly coefficients: FloatImage;
  /** Certainty of these coefficients. */
  readonly trimap: Trimap;
  /** From `foregroundColours`, at any size. */
  readonly colours: FloatImage;
  /** Null leaves the background transparent. */
  readonly backdrop: Backdrop | null;
}

/**
 * Levels that count as certain: a matte that came through the guided filter is slightly grey everywhere. Composites
 * of exact alpha, seen at 320 px by a model without error, came back with a mean absolute error of 0.003 where edges
 * are crisp (bilinear interpolation: 0.008), and of 0.009 where they are wide and soft (0.005); levels of 0.04 and
 * 0.96 make it 0.006 and 0.008, of 0.25 and 0.75 0.002 and 0.011. Models that err gain by them: `npm run bench --
 * quality remove-bg` shows both.
 */
const CLEAR_BELOW = 0.15;
const SOLID_FROM = 0.85;

const ROWS_BETWEEN_CHECKS = 64;

/** Applies the levels to a matte value from the guided filter. */
export function applyLevels(value: number): number {
  return Math.min(1, Math.max(0, (value - CLEAR_BELOW) / (SOLID_FROM - CLEAR_BELOW)));
}

/** Inverse of `applyLevels`, applied to coefficients. */
export function invertLevels(coefficients: FloatImage): FloatImage {
  const data = coefficients.data.map((value, at) => {
    const scaled = value * (SOLID_FROM - CLEAR_BELOW);
    return at % COEFFICIENTS === 3 ? CLEAR_BELOW + scaled : scaled;
  });
  return { ...coefficients, data };
}

/**
 * Returns where the coefficients give one certainty for every colour: nearly everywhere, away from edges.
 * @param coefficients from `guidedCoefficients`
 */
export function trimapOfCoefficients({ data }: FloatImage): Trimap {
  const trimap = new Uint8Array(data.length / COEFFICIENTS);
  for (let pixel = 0, at = 0; pixel < trimap.length; pixel++, at += COEFFICIENTS) {
    let least = data[at + 3];
    let most = least;
    for (let channel = at; channel < at + 3; channel++) {
      const coefficient = data[channel];
      if (coefficient < 0) least += coefficient;
      else most += coefficient;
    }
    trimap[pixel] = most <= CLEAR_BELOW ? BACKGROUND : least >= SOLID_FROM ? FOREGROUND : 0;
  }
  return trimap;
}

/**
 * Removes the background of a raster, in place: alpha from the matte at the raster's own size, edges in the subject's
 * own colours, composited over the backdrop. Certain pixels are cleared or left unchanged without reading their
 * colours. Memory: a few rows.
 * @param onRow called before each row; may throw to abort
 */
export function cutOut(raster: Raster8, cutout: Cutout, onRow: (y: number) => void): void {
  const { width, height } = raster;
  const { coefficients, trimap, backdrop } = cutout;
  const matte = new LineSampler(coefficients, width, height);
  const colours = new LineSampler(cutout.colours, width, height);
  const starts = getStarts(matte, coefficients);
  const alphas = new Float32Array(width);
  const backdropRow = new Float32Array(width * 4);
  let runs: readonly Run[] = [];
  for (let y = 0; y < height; y++) {
    onRow(y);
    const row = raster.data.subarray(y * width * 4, (y + 1) * width * 4);
    if (y === 0 || matte.rowAbove(y) !== matte.rowAbove(y - 1)) {
      runs = getRuns(trimap, coefficients, matte.rowAbove(y), starts);
    }
    if (backdrop && runs.some(({ kind }) => kind !== FOREGROUND)) backdrop.paint(y, backdropRow);
    for (const run of runs) {
      if (run.kind === FOREGROUND && isOpaque(raster, getPlaces(run, y))) continue;
      if (run.kind !== BACKGROUND) cutEdge(row, alphas, { matte, colours, y }, run);
      else if (backdrop) alphas.fill(0, run.start, run.end);
      else row.fill(0, run.start * 4, run.end * 4);
      if (run.kind !== BACKGROUND || backdrop) blend(row, alphas, backdropRow, run);
    }
  }
}

/** Returns an `onRow` that throws once the signal aborts. */
export function abortCheck(signal: AbortSignal): (y: number) => void {
  return (y) => {
    if (y % ROWS_BETWEEN_CHECKS === 0) signal.throwIfAborted();
  };
}

/**
 * Composites a raster over a backdrop, in place. Memory: a few rows.
 * @param onRow called before each row; may throw to abort
 */
export function compositeOver(raster: Raster8, backdrop: Backdrop, onRow: (y: number) => void): void {
  const { width, height, data } = raster;
  const alphas = new Float32Array(width);
  const backdropRow = new Float32Array(width * 4);
  for (let y = 0; y < height; y++) {
    onRow(y);
    const row = data.subarray(y * width * 4, (y + 1) * width * 4);
    for (let x = 0; x < width; x++) alphas[x] = row[x * 4 + 3] / 255;
    backdrop.paint(y, backdropRow);
    blend(row, alphas, backdropRow, { start: 0, end: width });
  }
}

/** Adjacent pixels of a raster row. */
interface Span {
  readonly start: number;
  /** Position after the last pixel. */
  readonly end: number;
}

/** Span between pixels of the same certainty. */
interface Run extends Span {
  readonly kind: number;
}

/**
 * Splits the raster's rows between two rows of the matte into spans.
 * @param above the upper matte row
 * @param starts the raster's first pixel right of each column of the matte, then the pixel count
 */
function getRuns(
  trimap: Trimap,
  { width, height }: FloatImage,
  above: number,
  starts: Uint32Array,
): readonly Run[] {
  const upper = above * width;
  const lower = Math.min(above + 1, height - 1) * width;
  const runs: Run[] = [];
  let run = { kind: -1, start: 0, end: 0 };
  for (let column = 0; column < width; column++) {
    const end = starts[column + 1];
    if (end === run.end) continue;
    const next = Math.min(column + 1, width - 1);
    const kind =
      trimap[upper + column] & trimap[upper + next] & trimap[lower + column] & trimap[lower + next];
    if (kind === run.kind) run.end = end;
    else {
      run = { kind, start: run.end, end };
      runs.push(run);
    }
  }
  return runs;
}

function getStarts({ left }: LineSampler, { width }: FloatImage): Uint32Array {
  const starts = new Uint32Array(width + 1).fill(left.length);
  for (let x = left.length - 1; x >= 0; x--) starts[left[x] / COEFFICIENTS] = x;
  // Where the matte has more columns than the raster, some contain no pixel.
  for (let column = width - 1; column >= 0; column--) {
    starts[column] = Math.min(starts[column], starts[column + 1]);
  }
  return starts;
}

function getPlaces({ start, end }: Span, y: number): PixelRegion {
  return { left: start, top: y, width: end - start, height: 1 };
}

/** Writes the alphas of a span, and replaces its mixed colours by the subject's own. */
function cutEdge(
  row: Uint8Array,
  alphas: Float32Array,
  { matte, colours, y }: { matte: LineSampler; colours: LineSampler; y: number },
  span: Span,
): void {
  matte.seek(y, matte.columnsOf(span.start, span.end));
  if (!readAlphas(row, matte, alphas, span)) return;
  colours.seek(y, colours.columnsOf(span.start, span.end));
  cleanEdges(row, alphas, colours, span);
}

/**
 * Computes alphas; transparent pixels stay transparent.
 * @returns whether any pixel is mixed
 */
function readAlphas(
  row: Uint8Array,
  { line, left, share }: LineSampler,
  alphas: Float32Array,
  { start, end }: Span,
): boolean {
  let isAnyMixed = false;
  for (let x = start, at = start * 4; x < end; x++, at += 4) {
    const own = row[at + 3];
    const alpha = (own / 255) * matteAt(line, left[x], share[x], row, at);
    if (isMixed(own, alpha)) isAnyMixed = true;
    alphas[x] = alpha;
  }
  return isAnyMixed;
}

/**
 * Reports whether a pixel's colour is mixed with the background's. A pixel that was half-transparent in the input
 * keeps its colour: after an earlier cutout that colour is already clean, and the model saw it mixed with white.
 * @param own alpha in the input, 0 to 255
 */
function isMixed(own: number, alpha: number): boolean {
  return own === 255 && alpha > 0 && alpha < 1;
}

function matteAt(line: Float32Array, from: number, part: number, row: Uint8Array, at: number): number {
  const red = lerp(line, from, COEFFICIENTS, part) * row[at];
  const green = lerp(line, from + 1, COEFFICIENTS, part) * row[at + 1];
  const blue = lerp(line, from + 2, COEFFICIENTS, part) * row[at + 2];
  return applyLevels((red + green + blue) / 255 + lerp(line, from + 3, COEFFICIENTS, part));
}

/** Replaces the colours of mixed pixels by the subject's own. */
function cleanEdges(
  row: Uint8Array,
  alphas: Float32Array,
  { line, left, share }: LineSampler,
  { start, end }: Span,
): void {
  for (let x = start; x < end; x++) {
    const alpha = alphas[x];
    if (!isMixed(row[x * 4 + 3], alpha)) continue;
    const from = left[x];
    const part = share[x];
    for (let channel = 0; channel < 3; channel++) {
      const front = lerp(line, from + channel, FOREGROUND_CHANNELS, part);
      const back = lerp(line, from + 3 + channel, FOREGROUND_CHANNELS, part);
      const seen = row[x * 4 + channel] / 255;
      const own = front + alpha * (seen - alpha * front - (1 - alpha) * back);
      row[x * 4 + channel] = Math.round(Math.min(1, Math.max(0, own)) * 255);
    }
  }
}

/**
 * Composites one pixel. An alpha below half a step of 255 keeps no colour, which would only enlarge files.
 * @param backdropRow the backdrop's row; all zero without one
 */
function blend(row: Uint8Array, alphas: Float32Array, backdropRow: Float32Array, { start, end }: Span): void {
  for (let x = start, at = start * 4; x < end; x++, at += 4) {
    const alpha = alphas[x];
    if (alpha >= 1) continue;
    const back = backdropRow[at + 3] * (1 - alpha);
    const total = alpha + back;
    const opacity = Math.round(total * 255);
    if (opacity === 0) {
      row[at] = row[at + 1] = row[at + 2] = row[at + 3] = 0;
      continue;
    }
    const share = alpha / total;
    const rest = (255 * back) / total;
    row[at] = Math.round(row[at] * share + backdropRow[at] * rest);
    row[at + 1] = Math.round(row[at + 1] * share + backdropRow[at + 1] * rest);
    row[at + 2] = Math.round(row[at + 2] * share + backdropRow[at + 2] * rest);
    row[at + 3] = opacity;
  }
}
