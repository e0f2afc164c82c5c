import { cubicPhases } from './cubic-phases.ts';

/** Plane of numbers, row by row. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array<ArrayBuffer>;
}

/** Enlarges a plane by a whole factor with cubic convolution; edges repeat. */
export function enlargePlane({ width, height, data }: Plane, scale: number): Plane {
  const phases = cubicPhases(scale);
  const wide = width * scale;
  const enlarged = new Float32Array(wide * height * scale);
  const mixed = new Float32Array(width);
  for (let y = 0; y < height * scale; y++) {
    const { first, weights } = phases[y % scale] as (typeof phases)[number];
    const top = Math.floor(y / scale) + first;
    mixed.fill(0);
    for (let tap = 0; tap < 4; tap++) {
      const weight = weights[tap] as number;
      const row = Math.min(Math.max(top + tap, 0), height - 1) * width;
      for (let x = 0; x < width; x++) mixed[x] = (mixed[x] as number) + weight * (data[row + x] as number);
    }
    for (let phase = 0; phase < scale; phase++)
      enlargeRow(mixed, phases[phase], enlarged, y * wide + phase, scale);
  }
  return { width: wide, height: height * scale, data: enlarged };
}

/** Writes one phase of a row: every `scale`-th value. */
function enlargeRow(
  row: Float32Array,
  phase: ReturnType<typeof cubicPhases>[number] | undefined,
  into: Float32Array,
  start: number,
  scale: number,
): void {
  const { first = 0, weights: [a, b, c, d] = [0, 0, 0, 0] } = phase ?? {};
  const last = row.length - 1;
  const at = (x: number) => row[x < 0 ? 0 : x > last ? last : x] as number;
  for (let x = 0, to = start; x < row.length; x++, to += scale) {
    const from = x + first;
    into[to] =
      from >= 0 && from + 3 <= last
        ? a * (row[from] as number) +
          b * (row[from + 1] as number) +
          c * (row[from + 2] as number) +
          d * (row[from + 3] as number)
        : a * at(from) + b * at(from + 1) + c * at(from + 2) + d * at(from + 3);
  }
}
