import type { Backdrop } from '../kernels/backdrop.ts';
import { cutOut, matteValue } from '../kernels/cut-out.ts';
import { foregroundColours } from '../kernels/foreground-colours.ts';
import { COEFFICIENTS, guidedCoefficients } from '../kernels/guided-filter.ts';
import type { Raster8 } from '../kernels/opaque.ts';
import { resizeImage } from '../kernels/resize.ts';
import type { FloatImage } from '../raster.ts';

/** The longer side at which edges are refined; what is finer follows the picture's own colours. */
export const WORKING_SIDE = 1024;
/** Of radii from 0.6 to 4 cells and epsilons from 1e-5 to 1e-3, these erred least on composites of exact alpha. */
const REFINEMENT = { radiusCells: 1.5, epsilon: 1e-4 };
/** Of the working side: how far an edge's colours are looked for, first and then. */
const COLOUR_REACH = [0.045, 0.003] as const;

/**
 * Cuts a subject out of a raster, in place: the matte follows the picture's own edges, and soft edges get the subject's
 * own colours.
 * @param colours the raster's colours at working size
 * @param matte one channel, 0 to 1, over the whole picture at any size
 * @param backdrop null leaves what is not subject transparent
 * @param onRow called before each row; may throw to end it
 */
export function cutOutBy(
  raster: Raster8,
  colours: FloatImage,
  matte: FloatImage,
  backdrop: Backdrop | null,
  onRow: (y: number) => void,
): void {
  const coefficients = edgesOf(colours, matte);
  const fused = foregroundColours(colours, applyEdges(coefficients, colours), reachOf(colours));
  cutOut(raster, { coefficients, colours: fused, backdrop }, onRow);
}

/** A matte at the size of the colours, along their edges. */
export function refineMatte(colours: FloatImage, matte: FloatImage): FloatImage {
  return applyEdges(edgesOf(colours, matte), colours);
}

/** The window spans the places that one cell of the matte stands for, and those of its neighbours. */
function edgesOf(colours: FloatImage, matte: FloatImage): FloatImage {
  const { width, height } = colours;
  const cell = Math.max(width / matte.width, height / matte.height);
  const radius = Math.max(2, Math.ceil(cell * REFINEMENT.radiusCells));
  return guidedCoefficients(colours, resizeImage(matte, width, height), {
    radius,
    epsilon: REFINEMENT.epsilon,
  });
}

function applyEdges(coefficients: FloatImage, { width, height, data }: FloatImage): FloatImage {
  const matte = new Float32Array(width * height);
  for (let place = 0; place < matte.length; place++) {
    let value = coefficients.data[place * COEFFICIENTS + 3] as number;
    for (let channel = 0; channel < 3; channel++) {
      value +=
        (coefficients.data[place * COEFFICIENTS + channel] as number) * (data[place * 3 + channel] as number);
    }
    matte[place] = matteValue(value);
  }
  return { width, height, channels: 1, data: matte };
}

function reachOf({ width, height }: { width: number; height: number }): [number, number] {
  const side = Math.max(width, height);
  return [Math.max(1, Math.round(side * COLOUR_REACH[0])), Math.max(1, Math.round(side * COLOUR_REACH[1]))];
}
