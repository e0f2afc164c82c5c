import type { FloatImage } from '../../../core/runtime/raster.ts';
import { boxMean } from '../../../kernels/raster/box-mean.ts';
import { fitWithin, resizeAlpha } from '../../../kernels/resize/resize.ts';
import type { Layout } from './lay-out-subject.ts';
import { type Stamp, shrinkMap } from './stamp.ts';

/** `soft` lies behind the subject, as on a wall; `contact` below it, as on a table. */
export type ShadowKind = 'soft' | 'contact';

/** Longest side of a shadow's map in pixels: it is blurred, so more would not be visible. */
const MAP_SIDE = 512;
/** Radius of the blur, as a share of the subject's longer side. */
const BLUR = { soft: 0.05, contact: 0.035 } as const;
/** Distance of a soft shadow below its subject, as a share of the subject's height. */
const DROP = 0.04;
/** Height of a contact shadow, and how much of it lies above the subject's foot, as shares of the subject's height. */
const GROUND = { height: 0.12, above: 0.06 } as const;
/**
 * Share of the silhouette, from its foot, that is flattened: what is higher stands over the ground, and shades it less.
 */
const STANDING = 0.35;
/** Box means that come close to a Gaussian. */
const PASSES = 3;

/**
 * Computes the shadow of a stamp on its canvas, 0 to 1, at its own size: the silhouette, moved or flattened,
 * and blurred.
 */
export function castShadow(stamp: Stamp, layout: Layout, kind: ShadowKind): FloatImage {
  const { width, height } = fitWithin(layout, MAP_SIDE);
  const silhouette = silhouetteOn(stamp, layout, { width, height });
  const scale = (width / layout.width) * layout.scale;
  const [across, down] = [layout.box.width * scale, layout.box.height * scale];
  const cast = kind === 'soft' ? dropped(silhouette, down * DROP) : flattened(silhouette, down);
  const radius = Math.max(1, Math.round((BLUR[kind] * Math.max(across, down)) / PASSES));
  let blurred = cast;
  for (let pass = 0; pass < PASSES; pass++) blurred = boxMean(blurred, Math.min(radius, MAP_SIDE));
  return blurred;
}

function silhouetteOn(
  stamp: Stamp,
  layout: Layout,
  { width, height }: { width: number; height: number },
): FloatImage {
  const small = fitWithin(stamp.raster, MAP_SIDE);
  const alpha = resizeAlpha(stamp.raster, small.width, small.height);
  const map = shrinkMap(stamp.map, width / layout.width, small.width / stamp.raster.width);
  const data = new Float32Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const right = x + 0.5 - map.centre.x;
      const below = y + 0.5 - map.centre.y;
      const u = Math.floor(right * map.across + below * map.down + small.width / 2);
      const v = Math.floor(below * map.across - right * map.down + small.height / 2);
      if (u >= 0 && v >= 0 && u < small.width && v < small.height) {
        data[at] = alpha.data[v * small.width + u];
      }
    }
  }
  return { width, height, channels: 1, data };
}

function dropped(image: FloatImage, by: number): FloatImage {
  const rows = Math.round(by);
  const data = new Float32Array(image.data.length);
  data.set(image.data.subarray(0, Math.max(0, data.length - rows * image.width)), rows * image.width);
  return { ...image, data };
}

/** Flattens a silhouette onto the ground that its lowest pixel touches. */
function flattened(image: FloatImage, subjectHeight: number): FloatImage {
  const { width, height } = image;
  const foot = lowestRow(image);
  const first = foot - GROUND.above * subjectHeight;
  const high = GROUND.height * subjectHeight;
  const data = new Float32Array(image.data.length);
  for (let y = Math.max(0, Math.floor(first)); y < Math.min(height, first + high); y++) {
    const share = (y - first) / high;
    const from = Math.round(foot - (1 - share) * STANDING * subjectHeight);
    if (from < 0 || from >= height) continue;
    data.set(image.data.subarray(from * width, (from + 1) * width), y * width);
  }
  return { ...image, data };
}

function lowestRow({ width, data }: FloatImage): number {
  let at = data.length - 1;
  while (at >= 0 && data[at] < 0.5) at--;
  return Math.floor(at / width);
}
