import type { Memory } from './kernel.ts';
import { EDGE, type Plan } from './plan.ts';

/** Luma of red, green and blue, as in lab/training/upscale/model.py. */
const [RED, GREEN, BLUE] = [0.299, 0.587, 0.114];
/** Value that the networks take as 0. */
const MIDDLE = 0.5;

/**
 * Writes an image to where a plan reads it: as the first map, and as planes with repeated edges.
 * @param image red, green and blue, one after the other, each row by row
 * @param isHalved whether the map has the luma of 2 x 2 pixels in each sample, rather than a pixel's colours
 */
export function writeImage(image: Float32Array, plan: Plan, { buffer }: Memory, isHalved: boolean): void {
  const floats = new Float32Array(buffer);
  if (isHalved) writeLuma(image, plan, floats);
  else writeColours(image, plan, floats);
  writePlanes(image, plan, floats);
}

function writeColours(image: Float32Array, { width, height, image: map }: Plan, floats: Float32Array): void {
  const size = width * height;
  for (let y = 0, from = 0; y < height; y++) {
    let to = (map.at + (y + 1) * map.row + map.step) / 4;
    for (const end = from + width; from < end; from++, to += 4) {
      floats[to] = image[from] - MIDDLE;
      floats[to + 1] = image[from + size] - MIDDLE;
      floats[to + 2] = image[from + 2 * size] - MIDDLE;
    }
  }
}

function writeLuma(image: Float32Array, { width, height, image: map }: Plan, floats: Float32Array): void {
  const size = width * height;
  for (let y = 0, from = 0; y < height; y++) {
    // Rows and columns of two share a sample.
    const row = (map.at + ((y >> 1) + 1) * map.row + map.step) / 4 + 2 * (y & 1);
    for (let x = 0; x < width; x++, from++) {
      const luma = RED * image[from] + GREEN * image[from + size] + BLUE * image[from + 2 * size];
      floats[row + 4 * (x >> 1) + (x & 1)] = luma - MIDDLE;
    }
  }
}

function writePlanes(image: Float32Array, { width, height, enlarging }: Plan, floats: Float32Array): void {
  for (let plane = 0, to = enlarging.planes / 4; plane < 3; plane++) {
    for (let y = -EDGE; y < height + EDGE; y++, to += enlarging.row / 4) {
      const from = (plane * height + Math.min(Math.max(y, 0), height - 1)) * width;
      floats.set(image.subarray(from, from + width), to + EDGE);
      floats.fill(image[from], to, to + EDGE);
      floats.fill(image[from + width - 1], to + EDGE + width, to + EDGE + width + EDGE);
    }
  }
}
