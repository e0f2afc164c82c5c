/** Weights of the 5-7-11 chamfer, in fifths of a pixel; the error is below 2 %. */
const STEPS: readonly (readonly [dx: number, dy: number, cost: number])[] = [
  [-1, 0, 5],
  [0, -1, 5],
  [-1, -1, 7],
  [1, -1, 7],
  [-1, -2, 11],
  [1, -2, 11],
  [-2, -1, 11],
  [2, -1, 11],
];
const UNIT = 5;

/**
 * Computes each pixel's distance to the nearest marked one, in pixels: G. Borgefors, "Distance Transformations in
 * Digital Images", CVGIP 1986. Infinite when none is marked.
 */
export function distanceTo(marked: Uint8Array, width: number, height: number): Float32Array<ArrayBuffer> {
  const distances = Float32Array.from(marked, (mark) => (mark ? 0 : Number.POSITIVE_INFINITY));
  const relax = (x: number, y: number, sign: 1 | -1) => {
    let least = distances[y * width + x];
    for (const [dx, dy, cost] of STEPS) {
      const fromX = x + sign * dx;
      const fromY = y + sign * dy;
      if (fromX < 0 || fromX >= width || fromY < 0 || fromY >= height) continue;
      least = Math.min(least, distances[fromY * width + fromX] + cost / UNIT);
    }
    distances[y * width + x] = least;
  };
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) relax(x, y, 1);
  for (let y = height - 1; y >= 0; y--) for (let x = width - 1; x >= 0; x--) relax(x, y, -1);
  return distances;
}
