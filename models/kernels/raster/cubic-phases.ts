/** Weights of four neighbouring samples for one of the places between two samples. */
export interface CubicPhase {
  /** First of the four samples, relative to the sample that the place lies in. */
  readonly first: number;
  readonly weights: readonly [number, number, number, number];
}

/**
 * Returns the weights for enlarging a line by a whole factor, one entry per place within a sample: cubic convolution
 * with a = -0.5 (Keys, 1981), as most software calls bicubic.
 */
export function cubicPhases(scale: number): readonly CubicPhase[] {
  return Array.from({ length: scale }, (_, index) => {
    const place = (index + 0.5) / scale - 0.5;
    const left = Math.floor(place);
    const rest = place - left;
    return { first: left - 1, weights: [cubic(1 + rest), cubic(rest), cubic(1 - rest), cubic(2 - rest)] };
  });
}

function cubic(distance: number): number {
  const x = distance;
  if (x < 1) return 1.5 * x ** 3 - 2.5 * x ** 2 + 1;
  return x < 2 ? -0.5 * x ** 3 + 2.5 * x ** 2 - 4 * x + 2 : 0;
}
