import type { Region } from '../raster/crop-raster.ts';

/**
 * Canvas at one resolution. Its pixels are known inside of `kept` and are to be found outside of it.
 */
export interface FillLevel {
  readonly width: number;
  readonly height: number;
  readonly kept: Region;
  /** Red, green and blue of each pixel, interleaved, 0 to 255. */
  readonly colours: Float32Array<ArrayBuffer>;
  /**
   * Costs of known pixels as sources, by place, whatever they look like: for places whose nearest known pixel costs less.
   */
  readonly penalties: Float32Array<ArrayBuffer>;
  /** Patches reach this many pixels from their centre: `(2 * radius + 1)` pixels squared. */
  readonly radius: number;
}

/** Sources of the patches of a level. */
export interface PatchField {
  /** Place in the canvas of the centre of the most similar known patch, by the place of a patch's centre; -1 for none. */
  readonly sources: Int32Array<ArrayBuffer>;
  /** Cost of that source; the mean squared difference of a sample and what is added to it. */
  readonly costs: Float32Array<ArrayBuffer>;
}

/** Calls `visit` with the centre of each patch that lies in the canvas and touches an unknown pixel, row by row. */
export function forEachPatch(
  { width, height, kept, radius }: FillLevel,
  visit: (x: number, y: number) => void,
): void {
  const right = kept.left + kept.width - radius;
  const bottom = kept.top + kept.height - radius;
  for (let y = radius; y < height - radius; y++) {
    const isBeside = y >= kept.top + radius && y < bottom;
    for (let x = radius; x < width - radius; x++) {
      if (isBeside && x === kept.left + radius && x < right) x = right;
      if (x < width - radius) visit(x, y);
    }
  }
}
