import { fillRegion } from '../../../kernels/raster/crop.ts';
import { clamp, distanceOutside, type FillLevel, forEachUnknownRun } from './fill-level.ts';

/** Half the side of the neighbourhood that is compared. */
const REACH = 3;
/** A source within this factor of the best one may be taken as well, so that seeds differ. */
const TOLERANCE = 1.1;
/** Cost of a source as far from the border next to the filled place as the known pixels are wide. */
const DISTANCE_COST = 3000;

/**
 * Fills a small level ring by ring from what is known, in place: each pixel gets the colour whose neighbourhood is most
 * like its own so far (Efros and Leung, "Texture Synthesis by Non-parametric Sampling", ICCV 1999). So lines and
 * gradients that meet the border continue.
 */
export function growColours(level: FillLevel, random: () => number): void {
  const { width, height, kept, colours } = level;
  const isKnown = new Uint8Array(width * height);
  fillRegion(isKnown, width, kept, 1);
  const costs = new Float32Array(kept.width * kept.height);
  for (const pixel of placesByDistance(level)) {
    const source = findSource(level, pixel, { isKnown, costs, random });
    for (let channel = 0; channel < 3; channel++) {
      colours[pixel * 3 + channel] = colours[source * 3 + channel];
    }
    isKnown[pixel] = 1;
  }
}

/** Lists unknown pixels, the nearest to what is known first. */
function placesByDistance(level: FillLevel): readonly number[] {
  const found: { readonly pixel: number; readonly distance: number }[] = [];
  forEachUnknownRun(level, (y, from, to) => {
    for (let x = from; x < to; x++) {
      const { across, down } = distanceOutside(level, x, y);
      // In a ring, pixels next to the known ones come before the corners.
      const distance = Math.max(across, down) + Math.min(across, down) / 1000;
      found.push({ pixel: y * level.width + x, distance });
    }
  });
  return found.sort((a, b) => a.distance - b.distance).map(({ pixel }) => pixel);
}

/** Step to a neighbour along a row, down a column, or both. */
type Step = readonly [along: number, down: number];

/** Lists the steps from a place to its known neighbours. */
function stepsToKnown({ width, height }: FillLevel, pixel: number, isKnown: Uint8Array): readonly Step[] {
  const x = pixel % width;
  const y = (pixel - x) / width;
  const steps: Step[] = [];
  for (let down = -REACH; down <= REACH; down++) {
    for (let along = -REACH; along <= REACH; along++) {
      const isInside = x + along >= 0 && x + along < width && y + down >= 0 && y + down < height;
      if (isInside && isKnown[pixel + down * width + along]) steps.push([along, down]);
    }
  }
  return steps;
}

interface Search {
  readonly isKnown: Uint8Array;
  /** Receives the cost of each kept pixel. */
  readonly costs: Float32Array;
  readonly random: () => number;
}

/** Returns the known pixel whose neighbourhood is most like that of a place, or one that is nearly as much so. */
function findSource(level: FillLevel, pixel: number, { isKnown, costs, random }: Search): number {
  const best = measureCosts(level, pixel, { steps: stepsToKnown(level, pixel, isKnown), costs });
  const { width, kept } = level;
  const limit = best * TOLERANCE + 1;
  let [source, seen] = [kept.top * width + kept.left, 0];
  for (let at = 0; at < costs.length; at++) {
    if (costs[at] > limit) continue;
    seen++;
    if (random() * seen < 1) {
      source = (kept.top + Math.floor(at / kept.width)) * width + kept.left + (at % kept.width);
    }
  }
  return source;
}

/** Compares the neighbourhood of a place with that of each kept pixel. @returns the lowest cost */
function measureCosts(
  { width, kept, colours, penalties }: FillLevel,
  pixel: number,
  { steps, costs }: Pick<Search, 'costs'> & { readonly steps: readonly Step[] },
): number {
  const x = pixel % width;
  const y = (pixel - x) / width;
  const middleX = clamp(x, kept.left, kept.left + kept.width - 1);
  const middleY = clamp(y, kept.top, kept.top + kept.height - 1);
  const penaltyThere = penalties[middleY * width + middleX];
  const perDistance = DISTANCE_COST / Math.max(kept.width, kept.height) ** 2;
  let best = Number.POSITIVE_INFINITY;
  for (let row = 0; row < kept.height; row++) {
    for (let column = 0; column < kept.width; column++) {
      const [sourceX, sourceY] = [kept.left + column, kept.top + row];
      let sum = 0;
      let count = 0;
      for (const [along, down] of steps) {
        const isInside =
          sourceX + along >= kept.left &&
          sourceX + along < kept.left + kept.width &&
          sourceY + down >= kept.top &&
          sourceY + down < kept.top + kept.height;
        if (!isInside) continue;
        const at = (pixel + down * width + along) * 3;
        const from = ((sourceY + down) * width + sourceX + along) * 3;
        for (let channel = 0; channel < 3; channel++) {
          const difference = colours[at + channel] - colours[from + channel];
          sum += difference * difference;
        }
        count++;
      }
      const distance = (sourceY - middleY) ** 2 + 0.15 * (sourceX - middleX) ** 2;
      // Few neighbours to compare are little evidence.
      const cost =
        count === 0
          ? Number.POSITIVE_INFINITY
          : (sum / (3 * count)) * (steps.length / count) +
            perDistance * distance +
            Math.max(0, penalties[sourceY * width + sourceX] - penaltyThere);
      costs[row * kept.width + column] = cost;
      if (cost < best) best = cost;
    }
  }
  return best;
}
