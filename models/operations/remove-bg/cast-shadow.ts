import type { FloatImage } from '../../core/runtime/raster.ts';
import { boxMean } from '../../kernels/raster/box-mean.ts';
import { fitWithin, resizeAlpha } from '../../kernels/raster/resize.ts';
import type { Layout } from './lay-out-subject.ts';
import { type Stamp, shrinkMap } from './stamp.ts';

/** `soft` lies behind the subject, as on a wall; `contact` below it, as on a table. */
export type ShadowKind = 'soft' | 'contact';

/** Longest side of a shadow's map in pixels: it is blurred, so more would not be visible. */
const MAP_SIDE = 512;
/** Radius of the blur, as a share of the subject's longer side. */
const BLUR = { soft: 0.05, contact: 0.06 } as const;
/** Distance of a soft shadow below its subject, as a share of the subject's height. */
const DROP = 0.04;
/** Thickness of a contact shadow above and below the ground, as a share of the subject's height. */
const THICKNESS = 0.035;
/** Steepest ground between two contact points, as rows per column: what is steeper hangs over the ground. */
const SLOPE_MAX = 0.25;
/**
 * Parts of a contact shadow: the dark one right at a contact point, and the pale one below what stands over the ground.
 * Each fades with the height over the ground, a share of the subject's height.
 */
const FADES = [
  { share: 0.65, height: 0.02 },
  { share: 0.35, height: 0.15 },
] as const;
/** Box means that come close to a Gaussian. */
const PASSES = 3;

/**
 * Computes the shadow of a stamp on its canvas, 0 to 1, at its own size: the silhouette, moved, or the ground below it,
 * and blurred. A subject that ends at the lower edge of its canvas shows no ground: its shadow is a soft one.
 */
export function castShadow(stamp: Stamp, layout: Layout, asked: ShadowKind): FloatImage {
  const kind = reachesLowerEdge(layout) ? 'soft' : asked;
  const { width, height } = fitWithin(layout, MAP_SIDE);
  const silhouette = silhouetteOn(stamp, layout, { width, height });
  const scale = (width / layout.width) * layout.scale;
  const [across, down] = [layout.box.width * scale, layout.box.height * scale];
  const cast = kind === 'soft' ? dropped(silhouette, down * DROP) : groundShade(silhouette, down);
  const radius = Math.max(1, Math.round((BLUR[kind] * Math.max(across, down)) / PASSES));
  let blurred = cast;
  for (let pass = 0; pass < PASSES; pass++) blurred = boxMean(blurred, Math.min(radius, MAP_SIDE));
  return blurred;
}

function reachesLowerEdge({ height, centre, box, scale, angle }: Layout): boolean {
  return angle === 0 && centre.y + (box.height * scale) / 2 >= height - 1;
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

/** Shades the ground along the points at which a silhouette touches it, and less where it stands over the ground. */
function groundShade(image: FloatImage, subjectHeight: number): FloatImage {
  const { width, height } = image;
  const feet = lowestRows(image);
  const ground = findGround(feet);
  const data = new Float32Array(image.data.length);
  const thickness = Math.max(1, THICKNESS * subjectHeight);
  for (let x = 0; x < width; x++) {
    if (feet[x] < 0) continue;
    const over = (ground[x] - feet[x]) / subjectHeight;
    const shade = FADES.reduce((sum, fade) => sum + fade.share * Math.exp(-over / fade.height), 0);
    const first = Math.max(0, Math.round(ground[x] - thickness));
    const last = Math.min(height - 1, Math.round(ground[x] + thickness));
    for (let y = first; y <= last; y++) data[y * width + x] = shade;
  }
  return { ...image, data };
}

/** Returns the lowest row of each column that the silhouette covers; -1 where it covers none. */
function lowestRows({ width, height, data }: FloatImage): Int32Array {
  const rows = new Int32Array(width).fill(-1);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) if (data[y * width + x] >= 0.5) rows[x] = y;
  }
  return rows;
}

/**
 * Returns the row of the ground in each column: it goes through the feet on which the silhouette stands, one nearer to the
 * viewer than another, and is nowhere steeper than `SLOPE_MAX`.
 */
function findGround(feet: Int32Array): Float32Array {
  const ground = Float32Array.from(feet, (foot) => (foot < 0 ? Number.NEGATIVE_INFINITY : foot));
  for (let x = 1; x < ground.length; x++) ground[x] = Math.max(ground[x], ground[x - 1] - SLOPE_MAX);
  for (let x = ground.length - 2; x >= 0; x--) ground[x] = Math.max(ground[x], ground[x + 1] - SLOPE_MAX);
  return ground;
}
