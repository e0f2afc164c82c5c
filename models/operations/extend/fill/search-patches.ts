import { type FillLevel, forEachPatch, type PatchField } from './fill-level.ts';
import type { PatchCost } from './patch-cost.ts';

export interface SearchOptions {
  readonly cost: PatchCost;
  /** Numbers from 0 to 1. */
  readonly random: () => number;
  readonly pass: number;
  /** Largest distance of a random try from the source so far, in pixels. */
  readonly reach: number;
}

/** Returns a field without any sources. */
export function emptyField({ width, height }: FillLevel): PatchField {
  const size = width * height;
  return { sources: new Int32Array(size).fill(-1), costs: new Float32Array(size) };
}

/**
 * Improves the sources of all patches, in place: each takes over those of its neighbours, moved along, and tries random
 * ones at ever smaller distances (Barnes et al., "PatchMatch", SIGGRAPH 2009). Even passes go from the upper left
 * corner, odd ones from the lower right.
 */
export function searchPatches(
  level: FillLevel,
  field: PatchField,
  { cost, random, pass, reach: reachGiven }: SearchOptions,
): void {
  const { width, height, kept, radius } = level;
  const { sources, costs } = field;
  const [left, top] = [kept.left + radius, kept.top + radius];
  const right = kept.left + kept.width - 1 - radius;
  const bottom = kept.top + kept.height - 1 - radius;
  const reachMax = Math.min(reachGiven, Math.max(right - left, bottom - top));
  const isForward = pass % 2 === 0;
  const step = isForward ? 1 : -1;

  const improve = (x: number, y: number): void => {
    const pixel = y * width + x;
    let bestX = -1;
    let bestY = -1;
    let best = Number.POSITIVE_INFINITY;
    const consider = (sourceX: number, sourceY: number): void => {
      if (sourceX < left || sourceX > right || sourceY < top || sourceY > bottom) return;
      if (sourceX === bestX && sourceY === bestY) return;
      const found = cost.of(x, y, sourceX, sourceY, best);
      if (found >= best) return;
      best = found;
      bestX = sourceX;
      bestY = sourceY;
    };
    const takeOver = (from: number, byX: number, byY: number): void => {
      const source = sources[from];
      if (source < 0) return;
      const sourceX = source % width;
      consider(sourceX + byX, (source - sourceX) / width + byY);
    };
    takeOver(pixel, 0, 0);
    if (x - step >= radius && x - step < width - radius) takeOver(pixel - step, step, 0);
    if (y - step >= radius && y - step < height - radius) takeOver(pixel - step * width, 0, step);
    if (best === Number.POSITIVE_INFINITY) {
      consider(
        left + Math.floor(random() * (right - left + 1)),
        top + Math.floor(random() * (bottom - top + 1)),
      );
    }
    for (let reach = reachMax; reach >= 1; reach /= 2) {
      const [fromX, toX] = [Math.max(left, bestX - reach), Math.min(right, bestX + reach)];
      const [fromY, toY] = [Math.max(top, bestY - reach), Math.min(bottom, bestY + reach)];
      consider(Math.round(fromX + random() * (toX - fromX)), Math.round(fromY + random() * (toY - fromY)));
    }
    sources[pixel] = bestY * width + bestX;
    costs[pixel] = best;
  };

  if (isForward) forEachPatch(level, improve);
  else forEachPatchBackwards(level, improve);
}

/** Visits the patches as `forEachPatch` does, the last one first. */
function forEachPatchBackwards(level: FillLevel, visit: (x: number, y: number) => void): void {
  const { width } = level;
  const places: number[] = [];
  forEachPatch(level, (x, y) => places.push(y * width + x));
  for (let at = places.length - 1; at >= 0; at--) {
    const pixel = places[at];
    visit(pixel % width, Math.floor(pixel / width));
  }
}
