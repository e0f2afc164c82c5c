import type { Backdrop } from '../kernels/backdrop.ts';
import { type Certainty, certaintyOf, grow, SOLID, undecidedRegions } from '../kernels/certainty.ts';
import { cropImage, pasteImage } from '../kernels/crop-image.ts';
import { beforeEnds, certaintyOfCoefficients, cutOut, matteValue } from '../kernels/cut-out.ts';
import { foregroundColours } from '../kernels/foreground-colours.ts';
import { COEFFICIENTS, guidedCoefficients } from '../kernels/guided-filter.ts';
import type { Raster8 } from '../kernels/opaque.ts';
import { resizeImage } from '../kernels/resize.ts';
import type { FloatImage } from '../raster.ts';

/** The longer side at which edges are refined; what is finer follows the picture's own colours. */
export const WORKING_SIDE = 1024;
/** Of radii from 0.6 to 4 cells and epsilons from 1e-5 to 1e-3, these erred least on composites of exact alpha. */
const REFINEMENT = { radiusCells: 1.5, epsilon: 1e-4 };
/** Ends of a network's matte that no edge of the picture makes doubtful. */
const FOUND = { clear: 0.03, solid: 0.97 };
/** Those of a refined matte, with room for what resizing takes from 1. */
const REFINED = { clear: 1e-4, solid: 1 - 1e-4 };
/** Of the working side: how far an edge's colours are looked for, first and then. */
const COLOUR_REACH = [0.045, 0.003] as const;

export interface CutOptions {
  /** null leaves what is not subject transparent. */
  readonly backdrop: Backdrop | null;
  /** Whether the matte is refined already, so that alpha is to be what it says. */
  readonly isRefined?: boolean;
  /** Called before each row; may throw to end it. */
  readonly onRow: (y: number) => void;
}

/**
 * Cuts a subject out of a raster, in place: the matte follows the picture's own edges, and soft edges get the subject's
 * own colours.
 * @param colours the raster's colours at working size
 * @param matte one channel, 0 to 1, over the whole picture at any size
 */
export function cutOutBy(
  raster: Raster8,
  colours: FloatImage,
  matte: FloatImage,
  { backdrop, isRefined = false, onRow }: CutOptions,
): void {
  const coefficients = edgesOf(colours, matte, isRefined);
  const certainty = certaintyOfCoefficients(coefficients);
  const edges = undecidedRegions(certainty, coefficients, 1);
  const fused = foregroundColours(colours, applyEdges(coefficients, colours), reachOf(colours), edges);
  cutOut(raster, { coefficients, certainty, colours: fused, backdrop }, onRow);
}

/** A matte at the size of the colours, along their edges. */
export function refineMatte(colours: FloatImage, matte: FloatImage): FloatImage {
  return applyEdges(edgesOf(colours, matte, false), colours);
}

/**
 * The window spans the places that one cell of the matte stands for, and those of its neighbours. Where the matte is
 * certain as far as windows reach, colours have no say.
 */
function edgesOf(colours: FloatImage, matte: FloatImage, isRefined: boolean): FloatImage {
  const { width, height } = colours;
  const cell = Math.max(width / matte.width, height / matte.height);
  const radius = Math.max(2, Math.ceil(cell * REFINEMENT.radiusCells));
  // Windows of windows.
  const reach = radius * 2;
  const guess = resizeImage(matte, width, height);
  const { clear, solid } = isRefined ? REFINED : FOUND;
  const certainty = certaintyOf(guess, clear, solid);
  const edges = certainCoefficients(certainty, colours);
  for (const region of undecidedRegions(certainty, colours, reach)) {
    const source = grow(region, reach, colours);
    const options = { radius, epsilon: REFINEMENT.epsilon };
    const part = guidedCoefficients(cropImage(colours, source), cropImage(guess, source), options);
    pasteImage(edges, isRefined ? beforeEnds(part) : part, source, region);
  }
  return edges;
}

function certainCoefficients(certainty: Certainty, { width, height }: FloatImage): FloatImage {
  const data = new Float32Array(certainty.length * COEFFICIENTS);
  for (let place = 0; place < certainty.length; place++) {
    if (certainty[place] === SOLID) data[place * COEFFICIENTS + 3] = 1;
  }
  return { width, height, channels: COEFFICIENTS, data };
}

function applyEdges({ data: factors }: FloatImage, { width, height, data }: FloatImage): FloatImage {
  const matte = new Float32Array(width * height);
  for (let place = 0, at = 0, from = 0; place < matte.length; place++, at += COEFFICIENTS, from += 3) {
    const red = (factors[at] as number) * (data[from] as number);
    const green = (factors[at + 1] as number) * (data[from + 1] as number);
    const blue = (factors[at + 2] as number) * (data[from + 2] as number);
    matte[place] = matteValue(red + green + blue + (factors[at + 3] as number));
  }
  return { width, height, channels: 1, data: matte };
}

function reachOf({ width, height }: { width: number; height: number }): [number, number] {
  const side = Math.max(width, height);
  return [Math.max(1, Math.round(side * COLOUR_REACH[0])), Math.max(1, Math.round(side * COLOUR_REACH[1]))];
}
