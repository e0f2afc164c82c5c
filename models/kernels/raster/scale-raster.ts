import type { Raster, Raster8 } from '../../core/runtime/raster.ts';
import { toGamma, toLinear } from '../colour/xyz-matrix.ts';
import type { RowSource } from './picture.ts';
import { type Filter, resizedRows } from './resize-rows.ts';

/** Lanczos' kernel with three lobes (C. E. Duchon, "Lanczos Filtering in One and Two Dimensions", 1979). */
const LANCZOS: Filter = {
  radius: 3,
  weightAt(distance) {
    if (distance === 0) return 1;
    const angle = Math.PI * Math.abs(distance);
    return angle < 3 * Math.PI ? (3 * Math.sin(angle) * Math.sin(angle / 3)) / angle ** 2 : 0;
  },
};

/** Steps of light in the table that encodes samples. */
const STEPS = 1 << 16;

/**
 * Resizes a raster for viewing: with Lanczos' filter, in linear light, with premultiplied alpha, so that thin lines
 * keep their brightness and transparent colours do not bleed. The result has as many bits. Memory: the result and a
 * few rows.
 */
export function scaleRaster(raster: Raster8, width: number, height: number): Raster8;
export function scaleRaster(raster: Raster, width: number, height: number): Raster;
export function scaleRaster(raster: Raster, width: number, height: number): Raster {
  if (raster.width === width && raster.height === height) return raster;
  const { data } = raster;
  const scaled =
    data instanceof Uint16Array ? new Uint16Array(width * height * 4) : new Uint8Array(width * height * 4);
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const rows = resizedRows(getLight(raster, most), width, height, { filter: LANCZOS });
  const samples = getSamples(most);
  const row = new Float32Array(width * 4);
  for (let y = 0, to = 0; y < height; y++) {
    rows.read(y, row);
    for (let from = 0; from < row.length; from += 4, to += 4) {
      // The filter overshoots at edges: only the quotient of both overshoots is the colour.
      const alpha = row[from + 3];
      const scale = alpha > 0 ? STEPS / alpha : 0;
      for (let channel = 0; channel < 3; channel++) {
        scaled[to + channel] = Math.round(sampleAt(samples, row[from + channel] * scale));
      }
      scaled[to + 3] = Math.round(Math.min(1, Math.max(0, alpha)) * most);
    }
  }
  return { width, height, data: scaled };
}

/** Samples by steps of light, by the largest sample: made once, since an animation has many frames. */
const getSamples = getTable((most) => ({
  length: STEPS + 1,
  valueAt: (step) => toGamma(step / STEPS) * most,
}));
/** Light by sample, by the largest sample. */
const lights = getTable((most) => ({ length: most + 1, valueAt: (sample) => toLinear(sample / most) }));

/** Returns a function that computes a table on first use. */
function getTable(
  describe: (most: number) => { readonly length: number; valueAt(at: number): number },
): (most: number) => Float32Array {
  const known = new Map<number, Float32Array>();
  return (most) => {
    const { length, valueAt } = describe(most);
    const table = known.get(most) ?? Float32Array.from({ length }, (_, at) => valueAt(at));
    known.set(most, table);
    return table;
  };
}

/** Reads a raster as linear light from 0 to 1, premultiplied by its alpha. */
function getLight({ width, height, data }: Raster, most: number): RowSource {
  const light = lights(most);
  return {
    width,
    height,
    channels: 4,
    read(y, row) {
      for (let from = y * width * 4, to = 0; to < row.length; from += 4, to += 4) {
        const alpha = data[from + 3] / most;
        for (let channel = 0; channel < 3; channel++) {
          row[to + channel] = light[data[from + channel]] * alpha;
        }
        row[to + 3] = alpha;
      }
    },
  };
}

/** Reads the table between its entries. */
function sampleAt(samples: Float32Array, step: number): number {
  const bounded = Math.min(STEPS - 1e-3, Math.max(0, step));
  const below = Math.floor(bounded);
  const [from, to] = [samples[below], samples[below + 1]];
  return from + (bounded - below) * (to - from);
}
