import type { FloatImage } from '../../core/runtime/raster.ts';
import { boxMean } from '../../kernels/raster/box-mean.ts';
import type { Window } from './paint-window.ts';

/** Half the side of the square over which colours are compared, in pixels: that far the correction reaches. */
const REACH = 24;

/**
 * Hides that a model returns colours a little off. It paints known pixels, too: how far those are off beside the seam
 * is taken from the new ones, less and less away from it.
 * @returns new colours, 0 to 1
 */
export function correctDrift({ colours, mask }: Window, painted: FloatImage): FloatImage {
  const { width, height } = painted;
  /** Red, green and blue that known pixels lack, and 1 for each of them. */
  const lacking = new Float32Array(width * height * 4);
  for (let place = 0; place < mask.length; place++) {
    if (mask[place]) continue;
    for (let channel = 0; channel < 3; channel++) {
      const at = place * 3 + channel;
      lacking[place * 4 + channel] = colours.data[at] - painted.data[at];
    }
    lacking[place * 4 + 3] = 1;
  }
  const means = boxMean({ width, height, channels: 4, data: lacking }, REACH).data;
  const data = painted.data.map((value, at) => {
    const channel = at % 3;
    const mean = ((at - channel) / 3) * 4;
    const share = means[mean + 3];
    // Beside a straight seam, half of the square is known.
    if (share < 1e-4) return value;
    const offset = (means[mean + channel] / share) * Math.min(1, 2 * share);
    return Math.min(1, Math.max(0, value + offset));
  });
  return { ...painted, data };
}
