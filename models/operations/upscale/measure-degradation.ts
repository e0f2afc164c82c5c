import type { Raster } from '../../core/runtime/raster.ts';

/** Traces of compression and noise in an image, in grey levels of 255. */
export interface Degradation {
  /**
   * Additional steepness of luma between the 8 x 8 blocks of JPEG, in the direction in which it is less:
   * after Wang, Sheikh and Bovik, "No-reference perceptual quality assessment of JPEG compressed images" (ICIP 2002),
   * for a grid that begins anywhere. 0 when the image is too small to tell.
   */
  readonly blocking: number;
  /**
   * Deviation of the noise in the calmest tenth of the image, which hardly has texture: Immerkær, "Fast noise variance
   * estimation" (CVIU 1996), by blocks. 0 when the image is too small to tell. It is about half of the noise's own.
   */
  readonly grain: number;
}

const BLOCK = 8;
/** Side of the squares that are measured, in pixels: whole blocks. */
const SQUARE = 128;
/** Squares in each direction. They bound the time: 0.26 megapixels of any image. */
const SQUARES_MAX = 4;
/** Steps from which on it is an edge of the image, and none of a block. */
const EDGE = 20;
/** Fewest steps between blocks from which a grid can be told. */
const STEPS_MIN = 400;
const BLOCKS_MIN = 30;
const CALM_SHARE = 0.1;
/** Mean luma of blocks that may be cut off at black or white: their noise is lost. */
const [DARK, LIGHT] = [24, 228];
/** Immerkær's mask responds to Gaussian noise of deviation 1 with a mean of 6 / this. */
const NOISE_FACTOR = Math.sqrt(Math.PI / 2) / 6;

/** Measures an image by squares that are spread over it. */
export function measureDegradation(raster: Raster): Degradation {
  const [across, down] = [new BlockSteps(), new BlockSteps()];
  const grains: number[] = [];
  for (const top of spread(raster.height)) {
    for (const left of spread(raster.width)) {
      const square = getLuma(raster, left, top);
      const { width, height, luma } = square;
      for (let y = 0; y < height; y++) across.addLine(luma, y * width, 1, width);
      for (let x = 0; x < width; x++) down.addLine(luma, x, width, height);
      addGrains(square, grains);
    }
  }
  return { blocking: Math.max(0, Math.min(across.excess(), down.excess())), grain: calmest(grains) };
}

/** Steps of luma between neighbours, by their place in a grid of blocks. */
class BlockSteps {
  readonly #sums = new Float64Array(BLOCK);
  readonly #counts = new Uint32Array(BLOCK);

  /** Adds how much steeper each step of a line is than the two next to it. The line begins at a multiple of a block. */
  addLine(luma: Float32Array, start: number, stride: number, length: number): void {
    if (length < 4) return;
    const [sums, counts] = [this.#sums, this.#counts];
    let last = luma[start + 2 * stride];
    let here = Math.abs(last - luma[start + stride]);
    let before = Math.abs(luma[start + stride] - luma[start]);
    for (let at = 1; at < length - 2; at++) {
      const next = luma[start + (at + 2) * stride];
      const after = Math.abs(next - last);
      if (here < EDGE) {
        const phase = at % BLOCK;
        sums[phase] = sums[phase] + here - (before + after) / 2;
        counts[phase] = counts[phase] + 1;
      }
      before = here;
      here = after;
      last = next;
    }
  }

  /** Returns by how much the steepest place of the grid exceeds the others. */
  excess(): number {
    if (Math.min(...this.#counts) < STEPS_MIN) return 0;
    const means = Array.from(this.#sums, (sum, phase) => sum / this.#counts[phase]);
    const steepest = Math.max(...means);
    const others = means.reduce((sum, mean) => sum + mean, -steepest) / (BLOCK - 1);
    return steepest - others;
  }
}

interface LumaSquare {
  readonly width: number;
  readonly height: number;
  /** BT.601, 0 to 255. */
  readonly luma: Float32Array;
}

/** Returns where squares along a side begin: at multiples of a block, so that a grid is at the same place in each. */
function spread(side: number): number[] {
  const count = Math.min(SQUARES_MAX, Math.ceil(side / SQUARE));
  const last = Math.max(0, side - SQUARE);
  return Array.from({ length: count }, (_, at) => {
    const start = count === 1 ? last / 2 : (last * at) / (count - 1);
    return Math.floor(start / BLOCK) * BLOCK;
  });
}

function getLuma({ width, height, data }: Raster, left: number, top: number): LumaSquare {
  const [columns, rows] = [Math.min(SQUARE, width - left), Math.min(SQUARE, height - top)];
  const unit = data instanceof Uint16Array ? 257 : 1;
  const luma = new Float32Array(columns * rows);
  for (let y = 0, to = 0; y < rows; y++) {
    let from = ((top + y) * width + left) * 4;
    for (let x = 0; x < columns; x++, from += 4) {
      const green = 0.587 * data[from + 1];
      luma[to++] = (0.299 * data[from] + green + 0.114 * data[from + 2]) / unit;
    }
  }
  return { width: columns, height: rows, luma };
}

/** Adds the noise of each block of a square that is neither dark nor light. */
function addGrains({ width, height, luma }: LumaSquare, grains: number[]): void {
  const curves = getCurves(luma);
  for (let top = 1; top + BLOCK < height; top += BLOCK) {
    for (let left = 1; left + BLOCK < width; left += BLOCK) {
      let light = 0;
      let response = 0;
      for (let y = top; y < top + BLOCK; y++) {
        for (let at = y * width + left; at < y * width + left + BLOCK; at++) {
          light += luma[at];
          // The difference of two Laplacians: blind to slopes, and to edges along a side.
          const aboveAndBelow = curves[at - width] + curves[at + width];
          response += Math.abs(aboveAndBelow - 2 * curves[at]);
        }
      }
      light /= BLOCK ** 2;
      if (light > DARK && light < LIGHT) grains.push((response / BLOCK ** 2) * NOISE_FACTOR);
    }
  }
}

/** Returns the second difference of each pixel and those next to it. The first and last of a row mean nothing. */
function getCurves(luma: Float32Array): Float32Array {
  const curves = new Float32Array(luma.length);
  for (let at = 1; at < luma.length - 1; at++) {
    curves[at] = luma[at - 1] - 2 * luma[at] + luma[at + 1];
  }
  return curves;
}

function calmest(grains: readonly number[]): number {
  if (grains.length < BLOCKS_MIN) return 0;
  const sorted = Float64Array.from(grains).sort();
  return sorted[Math.floor(sorted.length * CALM_SHARE)];
}
