import { clamp, type FillLevel } from './fill-level.ts';

/** Cost of a source as far from the border beside the filled place as the known pixels are wide. */
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
