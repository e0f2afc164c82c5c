import type { PixelRegion } from '../../../core/runtime/raster.ts';

/** Canvas whose pixels outside of `kept` are unknown. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly kept: PixelRegion;
}

/** Canvas at one resolution. */
export interface FillLevel extends Canvas {
  /** Red, green and blue of each pixel, interleaved, 0 to 255. */
  readonly colours: Float32Array<ArrayBuffer>;
  /**
   * Costs of known pixels as sources, by place, whatever they look like: for places whose nearest known pixel costs
   * less.
   */
  readonly penalties: Float32Array<ArrayBuffer>;
  /**
   * Standard deviation of luma in the patch around each pixel, by place; for unknown pixels what the border next to them
   * makes expect.
   */
  readonly detail: Float32Array<ArrayBuffer>;
  /** Patches reach this many pixels from their centre: `(2 * radius + 1)` pixels squared. */
  readonly radius: number;
}

/** Sources of the patches of a level. */
export interface PatchField {
  /**
   * Place in the canvas of the centre of the most similar known patch, by the place of a patch's centre; -1 for none.
   */
  readonly sources: Int32Array<ArrayBuffer>;
  /** Cost of that source; the mean squared difference of a sample and what is added to it. */
  readonly costs: Float32Array<ArrayBuffer>;
}

/** Calls `visit` with each run of unknown pixels in a row: its first pixel, and the one after its last. */
export function forEachUnknownRun(
  { width, height, kept }: Canvas,
  visit: (y: number, from: number, to: number) => void,
): void {
  for (let y = 0; y < height; y++) {
    if (y < kept.top || y >= kept.top + kept.height) visit(y, 0, width);
    else {
      visit(y, 0, kept.left);
      visit(y, kept.left + kept.width, width);
    }
  }
}

/** Returns how far a place lies outside of the kept pixels, along the rows and down the columns. */
export function distanceOutside({ kept }: Canvas, x: number, y: number) {
  return {
    across: Math.max(kept.left - x, x - (kept.left + kept.width - 1), 0),
    down: Math.max(kept.top - y, y - (kept.top + kept.height - 1), 0),
  };
}

/** Reduces a canvas. Its kept pixels get whole coordinates, and at least one of them stays. */
export function reduceCanvas({ width, height, kept }: Canvas, factor: number): Canvas {
  const across = reduceSpan(kept.left, kept.width, width, factor);
  const down = reduceSpan(kept.top, kept.height, height, factor);
  return {
    width: across.all,
    height: down.all,
    kept: { left: across.before, top: down.before, width: across.kept, height: down.kept },
  };
}

function reduceSpan(before: number, kept: number, all: number, factor: number) {
  const reduced = { before: Math.round(before / factor), kept: Math.max(1, Math.round(kept / factor)) };
  return { ...reduced, all: reduced.before + reduced.kept + Math.round((all - before - kept) / factor) };
}

/** Returns the nearest value within bounds. */
export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
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
