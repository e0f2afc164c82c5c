import { boxMean } from '../../../kernels/raster/box-mean.ts';
import type { ColourPlanes } from './colour-planes.ts';
import { limitToNeighbours } from './limit-to-neighbours.ts';

/** Half the side of the neighbourhood that decides whether a pixel is drawn, in pixels. */
const DRAWN_REACH = 3;
/** Share of neighbours of one colour from which on a place is drawn. Noise leaves photographs hardly any. */
const DRAWN_SHARE = 0.35;

/**
 * Takes back what a network adds to an enlarged image, in place: colours where the source is grey, and swings beside
 * the hard edges of drawings and in flat areas. Decided place by place, as drawings and photographs share images.
 * @param enlarged `source`, a whole factor larger
 * @param isDrawing whether the whole source counts as drawn
 */
export function restrainColours(
  enlarged: ColourPlanes,
  source: ColourPlanes,
  factor: number,
  isDrawing = false,
): void {
  const { width, height } = source;
  makeGrey(enlarged, greyPlaces(source), { width, factor });
  const isDrawn = isDrawing ? undefined : drawnPlaces(source);
  const [size, enlargedSize] = [width * height, enlarged.width * enlarged.height];
  for (let channel = 0; channel < 3; channel++) {
    const data = source.colours.subarray(channel * size, (channel + 1) * size);
    const into = enlarged.colours.subarray(channel * enlargedSize, (channel + 1) * enlargedSize);
    limitToNeighbours(into, { width, height, data }, factor, isDrawn);
  }
}

/** Returns 1 for pixels that are grey together with the eight around them. */
function greyPlaces({ width, height, colours }: ColourPlanes): Uint8Array {
  const size = width * height;
  const isGrey = Float32Array.from({ length: size }, (_, at) =>
    colours[at] === colours[at + size] && colours[at] === colours[at + 2 * size] ? 1 : 0,
  );
  // Sums of ones are exact, so a mean of 1 means all of them but for the division.
  const { data } = boxMean({ width, height, channels: 1, data: isGrey }, 1);
  return Uint8Array.from(data, (share) => (share > 0.95 ? 1 : 0));
}

/** Returns 1 for pixels in whose neighbourhood many have the very colour of those beside them. */
function drawnPlaces({ width, height, colours }: ColourPlanes): Uint8Array {
  const size = width * height;
  const isEqual = (one: number, other: number) =>
    colours[one] === colours[other] &&
    colours[one + size] === colours[other + size] &&
    colours[one + 2 * size] === colours[other + 2 * size];
  const equal = new Float32Array(size);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const right = x + 1 < width ? at + 1 : at;
      const below = y + 1 < height ? at + width : at;
      equal[at] = (isEqual(at, right) ? 0.5 : 0) + (isEqual(at, below) ? 0.5 : 0);
    }
  }
  const { data } = boxMean({ width, height, channels: 1, data: equal }, DRAWN_REACH);
  return Uint8Array.from(data, (share) => (share >= DRAWN_SHARE ? 1 : 0));
}

/** Gives the enlarged pixels of grey places the mean of their channels, in place. */
function makeGrey(
  { width, height, colours }: ColourPlanes,
  isGrey: Uint8Array,
  source: { readonly width: number; readonly factor: number },
): void {
  const size = width * height;
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / source.factor) * source.width;
    for (let x = 0; x < width; x++, at++) {
      if (!isGrey[row + Math.floor(x / source.factor)]) continue;
      const sum = colours[at] + colours[at + size] + colours[at + 2 * size];
      colours[at] = sum / 3;
      colours[at + size] = sum / 3;
      colours[at + 2 * size] = sum / 3;
    }
  }
}
