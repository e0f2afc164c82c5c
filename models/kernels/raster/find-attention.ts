import { mapTuple } from '../../core/records.ts';
import type { Raster } from '../../core/runtime/raster.ts';
import { toLinear } from '../colour/xyz-matrix.ts';
import { resizeColours } from './resize.ts';

/** Side of the reduced image: a crop is placed to 1/32 of the image, as in libvips' `smartcrop`. */
const SIDE = 32;
/** Direction of skin colours in XYZ, from smartcrop.js. */
const SKIN = [0.78, 0.57, 0.44] as const;
/** Luminance from 0 to 100 below which a colour says nothing. */
const DARK = 5;
const EDGE_WEIGHT = 5;

/** Position in an image, as shares of its sides, 0 to 1. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Finds where an image draws attention: by edges, skin colours and saturated colours.
 * @param cut sides of the part that will stay around it, as shares of the image's
 */
export function findAttention(
  raster: Raster,
  cut: { readonly width: number; readonly height: number },
): Point {
  const { data } = resizeColours(raster, SIDE, SIDE);
  const luminance = new Float32Array(SIDE * SIDE);
  const scores = new Float32Array(SIDE * SIDE);
  for (let pixel = 0; pixel < scores.length; pixel++) {
    const [r, g, b] = mapTuple([0, 1, 2] as const, (channel) => toLinear(data[pixel * 3 + channel]) * 100);
    const x = 0.4124 * r + 0.3576 * g + 0.1805 * b;
    const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    const z = 0.0193 * r + 0.1192 * g + 0.9505 * b;
    luminance[pixel] = y;
    scores[pixel] = (y >= DARK ? likenessToSkin(x, y, z) : 0) + saturation(x, y, z);
  }
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) scores[y * SIDE + x] += EDGE_WEIGHT * edge(luminance, x, y);
  }
  const sigma = Math.max(1, Math.hypot(cut.width * SIDE, cut.height * SIDE) / 10);
  const blurred = blur(scores, sigma);
  const best = blurred.indexOf(blurred.reduce((most, score) => Math.max(most, score), 0));
  return { x: ((best % SIDE) + 0.5) / SIDE, y: (Math.floor(best / SIDE) + 0.5) / SIDE };
}

function likenessToSkin(x: number, y: number, z: number): number {
  const length = Math.hypot(x, y, z);
  return 100 - 100 * Math.hypot(x / length - SKIN[0], y / length - SKIN[1], z / length - SKIN[2]);
}

/** Chroma in CIELAB. */
function saturation(x: number, y: number, z: number): number {
  const [fx, fy, fz] = mapTuple([x / 95.047, y / 100, z / 108.883] as const, (part) =>
    part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116,
  );
  return Math.hypot(500 * (fx - fy), 200 * (fy - fz));
}

function edge(luminance: Float32Array, x: number, y: number): number {
  const at = (column: number, row: number) => luminance[clamp(row) * SIDE + clamp(column)];
  return Math.abs(4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1));
}

function clamp(place: number): number {
  return Math.min(SIDE - 1, Math.max(0, place));
}

function blur(scores: Float32Array, sigma: number): Float32Array {
  const radius = Math.ceil(3 * sigma);
  const weights = Array.from({ length: 2 * radius + 1 }, (_, at) =>
    Math.exp(-((at - radius) ** 2) / (2 * sigma ** 2)),
  );
  const pass = (from: Float32Array, stepX: number, stepY: number) =>
    from.map((_, pixel) => {
      const [x, y] = [pixel % SIDE, Math.floor(pixel / SIDE)];
      return weights.reduce((sum, weight, at) => {
        const [column, row] = [clamp(x + (at - radius) * stepX), clamp(y + (at - radius) * stepY)];
        return sum + weight * from[row * SIDE + column];
      }, 0);
    });
  return pass(pass(scores, 1, 0), 0, 1);
}
