import {
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
