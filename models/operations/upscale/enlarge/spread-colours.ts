import type { ColourPlanes } from './colour-planes.ts';

/** States of a pixel: without a colour, with one, and in a ring that receives one. */
const [UNKNOWN, KNOWN, REACHED] = [0, 1, 2];

/**
 * Gives transparent pixels the mean colour of their known neighbours, in place, ring by ring around what is visible: a
 * file holds anything there, and a filter would mix it into visible edges.
 * @param alpha of the pixels, 0 to 1
 * @param rings distance from visible pixels up to which colours are given, in pixels
 */
export function spreadColours(planes: ColourPlanes, alpha: Float32Array, rings: number): void {
  const { width, height, colours } = planes;
  const size = width * height;
  const states = new Uint8Array(size);
  for (let pixel = 0; pixel < size; pixel++) if (alpha[pixel] > 0) states[pixel] = KNOWN;
  const around = new Int32Array(9);
  // All rings, one after the other: a pixel is in one of them at most.
  const reached = new Int32Array(size);
  let end = 0;
  for (let pixel = 0; pixel < size; pixel++) {
    if (states[pixel] !== UNKNOWN) continue;
    const count = placesAround(planes, pixel, around);
    for (let at = 0; at < count; at++) {
      if (states[around[at]] !== KNOWN) continue;
      reached[end++] = pixel;
      break;
    }
  }
  for (let ring = 0, start = 0; ring < rings && start < end; ring++) {
    const places = reached.subarray(start, end);
    for (const pixel of places) {
      const count = placesAround(planes, pixel, around);
      let [red, green, blue, known] = [0, 0, 0, 0];
      for (let at = 0; at < count; at++) {
        const from = around[at];
        if (states[from] !== KNOWN) continue;
        red += colours[from];
        green += colours[from + size];
        blue += colours[from + 2 * size];
        known += 1;
      }
      colours[pixel] = red / known;
      colours[pixel + size] = green / known;
      colours[pixel + 2 * size] = blue / known;
    }
    for (const pixel of places) states[pixel] = KNOWN;
    start = end;
    for (const pixel of places) {
      const count = placesAround(planes, pixel, around);
      for (let at = 0; at < count; at++) {
        const next = around[at];
        if (states[next] !== UNKNOWN) continue;
        states[next] = REACHED;
        reached[end++] = next;
      }
    }
  }
}

/**
 * Lists a place and those around it, row by row.
 * @param around receives them
 * @returns their number: 9, or fewer at a border
 */
function placesAround({ width, height }: ColourPlanes, pixel: number, around: Int32Array): number {
  const x = pixel % width;
  const y = (pixel - x) / width;
  const left = x > 0 ? x - 1 : 0;
  const right = x < width - 1 ? x + 1 : x;
  const bottom = y < height - 1 ? y + 1 : y;
  let count = 0;
  for (let row = y > 0 ? y - 1 : 0; row <= bottom; row++) {
    for (let at = row * width + left; at <= row * width + right; at++) around[count++] = at;
  }
  return count;
}
