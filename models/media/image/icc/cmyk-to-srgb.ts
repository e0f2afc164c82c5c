import type { Raster8 } from '../../../core/runtime/raster.ts';

/** sRGB colours at evenly spaced amounts of four inks: 3 bytes per node, cyan varying slowest, black fastest. */
export interface CmykGrid {
  /** Nodes per ink. */
  readonly nodes: number;
  readonly colours: Uint8Array;
}

/** Corners of a grid cell. */
const CORNERS = 16;

/**
 * Converts inks to sRGB by linear interpolation in a grid.
 * @param inks interleaved, 255 for full ink
 */
export function cmykToSrgb(inks: Uint8Array, width: number, height: number, grid: CmykGrid): Raster8 {
  const data = new Uint8Array(width * height * 4);
  const scale = (grid.nodes - 1) / 255;
  const strides = [grid.nodes ** 3 * 3, grid.nodes ** 2 * 3, grid.nodes * 3, 3] as const;
  const below = [0, 0, 0, 0];
  const share = [0, 0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    for (let ink = 0; ink < 4; ink++) {
      const position = inks[at + ink] * scale;
      const node = Math.min(grid.nodes - 2, Math.floor(position));
      below[ink] = node * strides[ink];
      share[ink] = position - node;
    }
    mix(data, at, { below, share, strides, colours: grid.colours });
  }
  return { width, height, data };
}

interface Cell {
  readonly below: readonly number[];
  readonly share: readonly number[];
  readonly strides: readonly number[];
  readonly colours: Uint8Array;
}

/** Writes the opaque colour of one pixel: the corners of its cell, weighted by proximity. */
function mix(data: Uint8Array, at: number, { below, share, strides, colours }: Cell): void {
  let [red, green, blue] = [0, 0, 0];
  for (let corner = 0; corner < CORNERS; corner++) {
    let weight = 1;
    let node = 0;
    for (let ink = 0; ink < 4; ink++) {
      const isAbove = (corner >> ink) & 1;
      const above = share[ink];
      weight *= isAbove ? above : 1 - above;
      node += below[ink] + (isAbove ? strides[ink] : 0);
    }
    if (weight === 0) continue;
    red += weight * colours[node];
    green += weight * colours[node + 1];
    blue += weight * colours[node + 2];
  }
  data[at] = Math.round(red);
  data[at + 1] = Math.round(green);
  data[at + 2] = Math.round(blue);
  data[at + 3] = 255;
}
