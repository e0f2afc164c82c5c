import type { FloatImage } from '../raster.ts';
import type { Backdrop } from './backdrop.ts';
import { FOREGROUND_CHANNELS } from './foreground-colours.ts';
import { COEFFICIENTS } from './guided-filter.ts';
import { between, LineSampler } from './line-sampler.ts';
import type { Raster8 } from './opaque.ts';

export interface Cutout {
  /** From `guidedCoefficients`, at any size. */
  readonly coefficients: FloatImage;
  /** From `foregroundColours`, at any size. */
  readonly colours: FloatImage;
  /** null leaves what is not subject transparent. */
  readonly backdrop: Backdrop | null;
}

/**
 * A matte that came through the guided filter is a little grey everywhere: these ends of it count as certain. With them,
 * composites of exact alpha that were seen at a third of their size came back with a mean absolute error of 0.004; with
 * 0.04 and 0.96 it was 0.012, by bilinear interpolation alone 0.018.
 */
const CLEAR_BELOW = 0.15;
const SOLID_FROM = 0.85;

/** A matte's value as it came from the guided filter, with its ends made certain. */
export function matteValue(value: number): number {
  return Math.min(1, Math.max(0, (value - CLEAR_BELOW) / (SOLID_FROM - CLEAR_BELOW)));
}

/** The value that `matteValue` turns into this one. */
export function valueBeforeEnds(matte: number): number {
  return CLEAR_BELOW + matte * (SOLID_FROM - CLEAR_BELOW);
}

/**
 * Cuts the subject out of a raster, in place: alpha from the matte at the raster's own size, edges in the subject's own
 * colours, the backdrop behind. Memory: a few rows.
 * @param onRow called before each row; may throw to end it
 */
export function cutOut(raster: Raster8, cutout: Cutout, onRow: (y: number) => void): void {
  const { width, height } = raster;
  const matte = new LineSampler(cutout.coefficients, width, height);
  const colours = new LineSampler(cutout.colours, width, height);
  const alphas = new Float32Array(width);
  const behind = new Float32Array(width * 4);
  for (let y = 0; y < height; y++) {
    onRow(y);
    const row = raster.data.subarray(y * width * 4, (y + 1) * width * 4);
    matte.seek(y);
    readAlphas(row, matte, alphas);
    colours.seek(y);
    cleanEdges(row, alphas, colours);
    if (cutout.backdrop) cutout.backdrop.paint(y, behind);
    blend(row, alphas, behind);
  }
}

/**
 * Puts a backdrop behind a raster, in place. Memory: a few rows.
 * @param onRow called before each row; may throw to end it
 */
export function putBehind(raster: Raster8, backdrop: Backdrop, onRow: (y: number) => void): void {
  const { width, height, data } = raster;
  const alphas = new Float32Array(width);
  const behind = new Float32Array(width * 4);
  for (let y = 0; y < height; y++) {
    onRow(y);
    const row = data.subarray(y * width * 4, (y + 1) * width * 4);
    for (let x = 0; x < width; x++) alphas[x] = (row[x * 4 + 3] as number) / 255;
    backdrop.paint(y, behind);
    blend(row, alphas, behind);
  }
}

/** What was transparent before stays so. */
function readAlphas(row: Uint8Array, { line, left, share }: LineSampler, alphas: Float32Array): void {
  for (let x = 0, at = 0; x < alphas.length; x++, at += 4) {
    const from = left[x] as number;
    const part = share[x] as number;
    const own = row[at + 3] as number;
    const red = between(line, from, COEFFICIENTS, part) * (row[at] as number);
    const green = between(line, from + 1, COEFFICIENTS, part) * (row[at + 1] as number);
    const blue = between(line, from + 2, COEFFICIENTS, part) * (row[at + 2] as number);
    const value = matteValue((red + green + blue) / 255 + between(line, from + 3, COEFFICIENTS, part));
    alphas[x] = (value * own) / 255;
  }
}

/** Replaces the mixed colours of half-transparent places by the subject's own. */
function cleanEdges(row: Uint8Array, alphas: Float32Array, { line, left, share }: LineSampler): void {
  for (let x = 0; x < alphas.length; x++) {
    const alpha = alphas[x] as number;
    if (alpha <= 0 || alpha >= 1) continue;
    const from = left[x] as number;
    const part = share[x] as number;
    for (let channel = 0; channel < 3; channel++) {
      const front = between(line, from + channel, FOREGROUND_CHANNELS, part);
      const back = between(line, from + 3 + channel, FOREGROUND_CHANNELS, part);
      const seen = (row[x * 4 + channel] as number) / 255;
      const own = front + alpha * (seen - alpha * front - (1 - alpha) * back);
      row[x * 4 + channel] = Math.round(Math.min(1, Math.max(0, own)) * 255);
    }
  }
}

/** @param behind the backdrop's row; all zero without one */
function blend(row: Uint8Array, alphas: Float32Array, behind: Float32Array): void {
  for (let x = 0, at = 0; x < alphas.length; x++, at += 4) {
    const alpha = alphas[x] as number;
    const back = (behind[at + 3] as number) * (1 - alpha);
    const total = alpha + back;
    for (let channel = at; channel < at + 3; channel++) {
      const mixed = (row[channel] as number) * alpha + (behind[channel] as number) * 255 * back;
      row[channel] = total > 0 ? Math.round(mixed / total) : 0;
    }
    row[at + 3] = Math.round(total * 255);
  }
}
