import type { FloatImage, PixelRegion } from '../../../core/runtime/raster.ts';
import { boxMeanRows } from '../../../kernels/raster/box-mean.ts';
import { cropImage, growRegion, pasteImage } from '../../../kernels/raster/crop.ts';
import { LineSampler, lerp } from '../../../kernels/raster/line-sampler.ts';
import { getRows, type RowSource } from '../../../kernels/raster/picture.ts';

/** Certainty of a matte, per pixel. The values are bits, so that pixels agree when they share one; 0 is uncertain. */
export type Trimap = Uint8Array;

export const BACKGROUND = 1;
export const FOREGROUND = 2;

/**
 * Block sizes for regions: small enough to follow an outline, and large compared with the border that callers add.
 */
const BLOCK = { least: 32, reaches: 3 };
/** Channels of the result: foreground red, green, blue, then background red, green, blue. */
export const FOREGROUND_CHANNELS = 6;
/** Channels of the weighted colours: foreground x matte, matte, background x (1 - matte), 1 - matte. */
const WEIGHTED = 8;
const NEVER_ZERO = 1e-5;
/** Radius of the wide blur at its own reduced size: a result that smooth needs no finer grid. */
const COARSE_RADIUS = 10;

/**
 * Estimates the foreground and background colours around each pixel: M. Forte, "Approximate Fast Foreground Colour
 * Estimation", ICIP 2021 (blur fusion, twice). A pixel's own foreground colour is `F + alpha * (I - alpha * F - (1 -
 * alpha) * B)`. The wide blur runs at a smaller size.
 * @param colours the image, 0 to 1
 * @param matte of the same size, 0 to 1
 * @param radii of the two blurs, in pixels, the wide one first
 * @param regions where the result is needed; it is 0 elsewhere
 */
export function foregroundColours(
  colours: FloatImage,
  matte: FloatImage,
  [wide, near]: readonly [wide: number, near: number],
  regions: readonly PixelRegion[],
): FloatImage {
  const { width, height } = colours;
  const data = new Float32Array(width * height * FOREGROUND_CHANNELS);
  const result = { width, height, channels: FOREGROUND_CHANNELS, data };
  if (regions.length === 0) return result;
  const around = new LineSampler(blurWide(colours, matte, wide), width, height);
  for (const region of regions) {
    const source = growRegion(region, near, colours);
    const opacity = cropImage(matte, source);
    const fused = withDetail(around, cropImage(colours, source), opacity, source);
    pasteImage(result, blurApart(weigh(fused, opacity), near), source, region);
  }
  return result;
}

/** Computes the first estimate, in which both are the image itself. */
function blurWide(colours: FloatImage, matte: FloatImage, radius: number): FloatImage {
  const step = Math.max(1, Math.floor(radius / COARSE_RADIUS));
  const cells = gather(colours, matte, step);
  return blurApart(getRows(cells), Math.round(((2 * radius + 1) / step - 1) / 2));
}

/** Sums weighted colours over cells of about `step` x `step` pixels: only their ratios count. */
function gather(
  { width, height, data: colours }: FloatImage,
  { data }: FloatImage,
  step: number,
): FloatImage {
  const columns = Math.ceil(width / step);
  const rows = Math.ceil(height / step);
  const sums = new Float32Array(columns * rows * WEIGHTED);
  const cells = Uint32Array.from({ length: width }, (_, x) => Math.floor((x * columns) / width) * WEIGHTED);
  for (let y = 0, pixel = 0; y < height; y++) {
    const start = Math.floor((y * rows) / height) * columns * WEIGHTED;
    for (let x = 0; x < width; x++, pixel++) {
      const at = start + cells[x];
      const red = colours[pixel * 3];
      const green = colours[pixel * 3 + 1];
      const blue = colours[pixel * 3 + 2];
      const alpha = data[pixel];
      const rest = 1 - alpha;
      sums[at] = sums[at] + red * alpha;
      sums[at + 1] = sums[at + 1] + green * alpha;
      sums[at + 2] = sums[at + 2] + blue * alpha;
      sums[at + 3] = sums[at + 3] + alpha;
      sums[at + 4] = sums[at + 4] + red * rest;
      sums[at + 5] = sums[at + 5] + green * rest;
      sums[at + 6] = sums[at + 6] + blue * rest;
      sums[at + 7] = sums[at + 7] + rest;
    }
  }
  return { width: columns, height: rows, channels: WEIGHTED, data: sums };
}

/** Blurs each side's colours around each pixel, weighted by the amount of that side. */
function blurApart(weighted: RowSource, radius: number): FloatImage {
  const { width, height } = weighted;
  const data = new Float32Array(width * height * FOREGROUND_CHANNELS);
  boxMeanRows(weighted, radius, (y, means) => {
    let to = y * width * FOREGROUND_CHANNELS;
    for (let from = 0; from < means.length; from += WEIGHTED, to += FOREGROUND_CHANNELS) {
      const front = 1 / (means[from + 3] + NEVER_ZERO);
      const back = 1 / (means[from + 7] + NEVER_ZERO);
      data[to] = means[from] * front;
      data[to + 1] = means[from + 1] * front;
      data[to + 2] = means[from + 2] * front;
      data[to + 3] = means[from + 4] * back;
      data[to + 4] = means[from + 5] * back;
      data[to + 5] = means[from + 6] * back;
    }
  });
  return { width, height, channels: FOREGROUND_CHANNELS, data };
}

/**
 * Restores the image's detail in the blurred foreground; the background stays blurred.
 * @param region of the image that colours and matte are cropped from
 */
function withDetail(
  around: LineSampler,
  colours: FloatImage,
  matte: FloatImage,
  region: PixelRegion,
): FloatImage {
  const { width, height } = colours;
  const data = new Float32Array(width * height * FOREGROUND_CHANNELS);
  const end = region.left + width;
  const columns = around.columnsOf(region.left, end);
  for (let y = 0, pixel = 0; y < height; y++) {
    around.seek(region.top + y, columns);
    for (let x = region.left; x < end; x++, pixel++) {
      const alpha = matte.data[pixel];
      const from = around.left[x];
      const part = around.share[x];
      for (let channel = 0, at = pixel * FOREGROUND_CHANNELS; channel < 3; channel++, at++) {
        const front = lerp(around.line, from + channel, FOREGROUND_CHANNELS, part);
        const back = lerp(around.line, from + channel + 3, FOREGROUND_CHANNELS, part);
        const seen = colours.data[pixel * 3 + channel];
        const expected = alpha * front + (1 - alpha) * back;
        data[at] = Math.min(1, Math.max(0, front + alpha * (seen - expected)));
        data[at + 3] = back;
      }
    }
  }
  return { width, height, channels: FOREGROUND_CHANNELS, data };
}

function weigh({ width, height, data }: FloatImage, matte: FloatImage): RowSource {
  const read = (y: number, row: Float32Array) => {
    let from = y * width * FOREGROUND_CHANNELS;
    for (let pixel = y * width, to = 0; to < row.length; pixel++, to += WEIGHTED) {
      const alpha = matte.data[pixel];
      const rest = 1 - alpha;
      row[to] = data[from] * alpha;
      row[to + 1] = data[from + 1] * alpha;
      row[to + 2] = data[from + 2] * alpha;
      row[to + 3] = alpha;
      row[to + 4] = data[from + 3] * rest;
      row[to + 5] = data[from + 4] * rest;
      row[to + 6] = data[from + 5] * rest;
      row[to + 7] = rest;
      from += FOREGROUND_CHANNELS;
    }
  };
  return { width, height, channels: WEIGHTED, read };
}

/**
 * Classifies a matte's pixels.
 * @param matte one channel: values up to `clear` are clear, values from `solid` are solid
 */
export function computeTrimap({ data }: FloatImage, clear: number, solid: number): Trimap {
  const trimap = new Uint8Array(data.length);
  for (let place = 0; place < data.length; place++) {
    const value = data[place];
    trimap[place] = value <= clear ? BACKGROUND : value >= solid ? FOREGROUND : 0;
  }
  return trimap;
}

/**
 * Returns non-overlapping rectangles that cover every pixel with more than one kind of certainty within reach.
 * @param reach pixels to each side
 * @returns from the top, each at most one block high
 */
export function unknownRegions(
  trimap: Trimap,
  { width, height }: { readonly width: number; readonly height: number },
  reach: number,
): PixelRegion[] {
  const side = Math.max(BLOCK.least, reach * BLOCK.reaches);
  const regions: PixelRegion[] = [];
  for (let top = 0; top < height; top += side) {
    const rows = Math.min(side, height - top);
    let left = -1;
    for (let x = 0; x < width + side; x += side) {
      const block = { left: x, top, width: side, height: rows };
      const isUndecided = x < width && !isCertain(trimap, width, growRegion(block, reach, { width, height }));
      if (isUndecided && left < 0) left = x;
      if (isUndecided || left < 0) continue;
      regions.push({ left, top, width: Math.min(x, width) - left, height: rows });
      left = -1;
    }
  }
  return regions;
}

/** Reports whether all pixels of a region share a kind. */
function isCertain(trimap: Trimap, stride: number, { left, top, width, height }: PixelRegion): boolean {
  let kind = BACKGROUND | FOREGROUND;
  for (let y = top; y < top + height; y++) {
    for (let at = y * stride + left, end = at + width; at < end; at++) kind &= trimap[at];
    if (kind === 0) return false;
  }
  return true;
}
