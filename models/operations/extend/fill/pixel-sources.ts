import { distanceOutside, type FillLevel, forEachPatch, type PatchField } from './fill-level.ts';

/**
 * Chooses for each unknown pixel the known one that it copies: as the cheapest of the patches over it has it. Whole
 * pieces then come from one place, and keep their grain, which a mean would lose.
 * @returns places in the canvas; -1 for known pixels
 */
export function pixelSources(level: FillLevel, { sources, costs }: PatchField): Int32Array<ArrayBuffer> {
  const { width, height, kept, radius } = level;
  const chosen = new Int32Array(width * height).fill(-1);
  const cheapest = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  forEachPatch(level, (x, y) => {
    const place = y * width + x;
    const step = sources[place] - place;
    const outside = distanceOutside(level, x, y);
    const cost = costs[place] - CERTAIN_COST * FADE ** -Math.max(outside.across, outside.down);
    for (let down = -radius; down <= radius; down++) {
      const row = place + down * width;
      for (let along = -radius; along <= radius; along++) {
        // Away from its centre, a patch knows less about a pixel.
        const here = cost + EDGE_COST * (down * down + along * along);
        if (here >= cheapest[row + along]) continue;
        cheapest[row + along] = here;
        chosen[row + along] = row + along + step;
      }
    }
  });
  for (let y = kept.top; y < kept.top + kept.height; y++) {
    chosen.fill(-1, y * width + kept.left, y * width + kept.left + kept.width);
  }
  return chosen;
}

/**
 * Discount of a patch beside the kept pixels over one far away, and its fall with each pixel of distance. Such a patch
 * is compared with real colours, and costs more than one that is compared with filled ones, which agree with their
 * source.
 */
const [CERTAIN_COST, FADE] = [2000, 1.3];
/** Cost of a patch for a pixel one step away from its centre. */
const EDGE_COST = 4;
