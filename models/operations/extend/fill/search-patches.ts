import {
  clamp,
  distanceOutside,
  type FillLevel,
  forEachPatch,
  forEachUnknownRun,
  type PatchField,
} from './fill-level.ts';

/** Share of the patches whose cost lies below the scale of the weights. */
const SCALE_SHARE = 0.75;
/** A patch counts this much less for each pixel farther from what is known. */
const FADE = 1.05;
/** Cost of a source as far from the border next to the filled place as the known pixels are wide. */
const DISTANCE_COST = 10_000;

/**
 * Share of that cost for a distance along the rows: what lies in the same row is more alike than in the same column.
 */
const ROW_SHARE = 0.15;

/**
 * Cost of detail that is missing or too much, squared. A smooth patch differs from a rough one by the variance of that
 * one, and another place of the same roughness by twice as much: with a cost of 1 they would be even.
 */
const DETAIL_COST = 2;

/** Returns the squared difference of two patches, and what speaks against the source whatever its colours. */
export class PatchCost {
  readonly #level: FillLevel;
  /** Costs of sources by their place, for being used too often. */
  readonly crowding: Float32Array<ArrayBuffer>;
  readonly #perSample: number;
  readonly #perDistance: number;

  constructor(level: FillLevel) {
    this.#level = level;
    this.crowding = new Float32Array(level.width * level.height);
    this.#perSample = 1 / (3 * (2 * level.radius + 1) ** 2);
    this.#perDistance = DISTANCE_COST / Math.max(level.kept.width, level.kept.height) ** 2;
  }

  /**
   * Returns the cost of a source for a patch, or any number above `limit` when it exceeds that.
   * @param x centre of the patch
   * @param sourceX centre of the known patch
   */
  of(x: number, y: number, sourceX: number, sourceY: number, limit: number): number {
    const { width, radius, colours, kept, penalties, detail } = this.#level;
    const nearestX = clamp(x, kept.left, kept.left + kept.width - 1);
    const nearestY = clamp(y, kept.top, kept.top + kept.height - 1);
    const acrossRows = sourceY - nearestY;
    const alongRow = sourceX - nearestX;
    const source = sourceY * width + sourceX;
    const penalty = penalties[source] - penalties[nearestY * width + nearestX];
    const unlike = detail[y * width + x] - detail[source];
    const fixed =
      DETAIL_COST * unlike * unlike +
      this.crowding[source] +
      (penalty > 0 ? penalty : 0) +
      this.#perDistance * (acrossRows * acrossRows + ROW_SHARE * alongRow * alongRow);
    if (fixed > limit) return fixed;
    const sumMax = (limit - fixed) / this.#perSample;
    const length = (2 * radius + 1) * 3;
    const step = width * 3;
    let at = ((y - radius) * width + x - radius) * 3;
    let from = ((sourceY - radius) * width + sourceX - radius) * 3;
    let sum = 0;
    for (let row = -radius; row <= radius; row++, at += step, from += step) {
      for (let offset = 0; offset < length; offset++) {
        const difference = colours[at + offset] - colours[from + offset];
        sum += difference * difference;
      }
      if (sum > sumMax) break;
    }
    return fixed + sum * this.#perSample;
  }
}

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

/**
 * Gives each unknown pixel the weighted mean of the colours that the sources of the patches over it have there, in
 * place (Wexler, Shechtman and Irani, "Space-Time Completion of Video", PAMI 2007).
 */
export function voteColours(level: FillLevel, field: PatchField): void {
  const { width, height, radius, colours } = level;
  const sums = new Float32Array(width * height * 4);
  const scale = costScale(level, field);
  forEachPatch(level, (x, y) => {
    const pixel = y * width + x;
    const source = field.sources[pixel];
    // A coarser level may have had no unknown pixel here, and so no source.
    if (source < 0) return;
    const outside = distanceOutside(level, x, y);
    const weight =
      Math.exp(-field.costs[pixel] / scale) * FADE ** -Math.max(outside.across, outside.down) + 1e-9;
    for (let down = -radius; down <= radius; down++) {
      let to = (pixel + down * width - radius) * 4;
      let from = (source + down * width - radius) * 3;
      for (let along = -radius; along <= radius; along++, to += 4, from += 3) {
        sums[to] = sums[to] + weight * colours[from];
        sums[to + 1] = sums[to + 1] + weight * colours[from + 1];
        sums[to + 2] = sums[to + 2] + weight * colours[from + 2];
        sums[to + 3] = sums[to + 3] + weight;
      }
    }
  });
  forEachUnknownRun(level, (y, from, to) => {
    for (let pixel = y * width + from; pixel < y * width + to; pixel++) {
      const total = sums[pixel * 4 + 3];
      if (total === 0) continue;
      for (let channel = 0; channel < 3; channel++) {
        colours[pixel * 3 + channel] = sums[pixel * 4 + channel] / total;
      }
    }
  });
}

/** Returns the cost that a share of the patches stays below, from a sample of them. */
function costScale(level: FillLevel, { costs }: PatchField): number {
  const sample: number[] = [];
  let count = 0;
  forEachPatch(level, (x, y) => {
    if (count++ % 7 === 0) sample.push(costs[y * level.width + x]);
  });
  sample.sort((a, b) => a - b);
  return Math.max(1, sample[Math.floor(sample.length * SCALE_SHARE)] ?? 1);
}
