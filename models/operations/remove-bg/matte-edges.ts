import type { FloatImage, Raster8 } from '../../core/runtime/raster.ts';
import { cropImage, growRegion, pasteImage } from '../../kernels/raster/crop.ts';
import { resizeImage } from '../../kernels/raster/resize.ts';
import type { Backdrop } from './backdrop.ts';
import { applyLevels, cutOut, invertLevels, trimapOfCoefficients } from './matte/cut-out.ts';
import {
  computeTrimap,
  FOREGROUND,
  foregroundColours,
  type Trimap,
  unknownRegions,
} from './matte/foreground-colours.ts';
import { COEFFICIENTS, guidedCoefficients } from './matte/guided-filter.ts';

/** Longer side at which edges are refined; finer detail follows the image's own colours. */
export const WORKING_SIDE = 1024;
/**
 * Parameters of the guided filter: of radii from 0.6 to 4 cells and epsilons from 1e-5 to 1e-3, these had the smallest
 * error on composites with exact alpha.
 */
const REFINEMENT = { radiusCells: 1.5, epsilon: 1e-4 };
/** Levels of a model's matte beyond which no image edge makes it uncertain. */
const FOUND = { clear: 0.03, solid: 0.97 };
/** Levels of a refined matte, with room for the loss from resizing. */
const REFINED = { clear: 1e-4, solid: 1 - 1e-4 };
/** Reach of the search for an edge's colours, first and second pass, as shares of the working side. */
const COLOUR_REACH = [0.045, 0.003] as const;

export interface CutOptions {
  /** Null leaves the background transparent. */
  readonly backdrop: Backdrop | null;
  /** Whether the matte is already refined, so that alpha follows it exactly. */
  readonly isRefined?: boolean;
  /** Called before each row; may throw to abort. */
  readonly onRow: (y: number) => void;
}

/**
 * Removes the background of a raster, in place: the matte follows the image's own edges, and soft edges get the
 * subject's own colours.
 * @param colours the raster's colours at working size
 * @param matte one channel, 0 to 1, over the whole image at any size
 */
export function cutOutWithMatte(
  raster: Raster8,
  colours: FloatImage,
  matte: FloatImage,
  { backdrop, isRefined = false, onRow }: CutOptions,
): void {
  const coefficients = getEdges(colours, matte, isRefined);
  const trimap = trimapOfCoefficients(coefficients);
  const edges = unknownRegions(trimap, coefficients, 1);
  const fused = foregroundColours(colours, applyEdges(coefficients, colours), getReach(colours), edges);
  cutOut(raster, { coefficients, trimap, colours: fused, backdrop }, onRow);
}

/** Refines a matte at the size of the colours, along their edges. */
export function refineMatte(colours: FloatImage, matte: FloatImage): FloatImage {
  return applyEdges(getEdges(colours, matte, false), colours);
}

/**
 * Refines the edges of a matte. The window spans one matte cell and its neighbours. Where the matte is certain within
 * a window's reach, colours have no influence.
 */
function getEdges(colours: FloatImage, matte: FloatImage, isRefined: boolean): FloatImage {
  const { width, height } = colours;
  const cell = Math.max(width / matte.width, height / matte.height);
  const radius = Math.max(2, Math.ceil(cell * REFINEMENT.radiusCells));
  // Windows of windows.
  const reach = radius * 2;
  const guess = resizeImage(matte, width, height);
  const { clear, solid } = isRefined ? REFINED : FOUND;
  const trimap = computeTrimap(guess, clear, solid);
  const edges = certainCoefficients(trimap, colours);
  for (const region of unknownRegions(trimap, colours, reach)) {
    const source = growRegion(region, reach, colours);
    const options = { radius, epsilon: REFINEMENT.epsilon };
    const part = guidedCoefficients(cropImage(colours, source), cropImage(guess, source), options);
    pasteImage(edges, isRefined ? invertLevels(part) : part, source, region);
  }
  return edges;
}

function certainCoefficients(trimap: Trimap, { width, height }: FloatImage): FloatImage {
  const data = new Float32Array(trimap.length * COEFFICIENTS);
  for (let pixel = 0; pixel < trimap.length; pixel++) {
    if (trimap[pixel] === FOREGROUND) data[pixel * COEFFICIENTS + 3] = 1;
  }
  return { width, height, channels: COEFFICIENTS, data };
}

function applyEdges({ data: factors }: FloatImage, { width, height, data }: FloatImage): FloatImage {
  const matte = new Float32Array(width * height);
  for (let pixel = 0, at = 0, from = 0; pixel < matte.length; pixel++, at += COEFFICIENTS, from += 3) {
    const red = factors[at] * data[from];
    const green = factors[at + 1] * data[from + 1];
    const blue = factors[at + 2] * data[from + 2];
    matte[pixel] = applyLevels(red + green + blue + factors[at + 3]);
  }
  return { width, height, channels: 1, data: matte };
}

function getReach({ width, height }: { width: number; height: number }): [number, number] {
  const side = Math.max(width, height);
  return [Math.max(1, Math.round(side * COLOUR_REACH[0])), Math.max(1, Math.round(side * COLOUR_REACH[1]))];
}
