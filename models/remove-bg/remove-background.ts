import type { Backdrop } from '../kernels/backdrop.ts';
import { cutOut, matteValue } from '../kernels/cut-out.ts';
import { foregroundColours } from '../kernels/foreground-colours.ts';
import { COEFFICIENTS, guidedCoefficients } from '../kernels/guided-filter.ts';
import type { Raster8 } from '../kernels/opaque.ts';
import { fitWithin, resizeColours, resizeImage } from '../kernels/resize.ts';
import { findSubjects } from '../kernels/subjects.ts';
import type { FloatImage } from '../raster.ts';
import type { Runtime } from '../runtime.ts';
import { findSubject } from './find-subject.ts';
import { type MatteQuality, matteQuality } from './matte-quality.ts';

export interface RemoveOptions {
  /** The id of a network's weights, or `auto`. */
  readonly engine: string;
  readonly subject: 'all' | 'primary';
  /** null leaves what is not subject transparent. */
  readonly backdrop: Backdrop | null;
}

export interface Removal {
  readonly subjectCount: number;
  readonly quality: MatteQuality;
  readonly engine: string;
  readonly warnings: readonly string[];
}

/** The longer side at which edges are refined; what is finer follows the picture's own colours. */
const WORKING_SIDE = 1024;
/** Of radii from 0.6 to 4 cells and epsilons from 1e-5 to 1e-3, these erred least on composites of exact alpha. */
const REFINEMENT = { radiusCells: 1.5, epsilon: 1e-4 };
/** Of the working side: how far an edge's colours are looked for, first and then. */
const COLOUR_REACH = [0.045, 0.003] as const;

/** Shares of the whole. */
const WEIGHTS_DONE = 0.4;
const MATTE_DONE = 0.6;

/**
 * Takes the background out of a raster, in place. The picture is looked at once small by a network; its matte is brought
 * to full resolution along the picture's own edges, and edges get the subject's own colours.
 * @throws OperationError `unavailable` when no network is at hand
 */
export async function removeBackground(
  raster: Raster8,
  options: RemoveOptions,
  runtime: Pick<Runtime, 'inference' | 'signal' | 'progress'>,
): Promise<Removal> {
  const { inference, signal } = runtime;
  const working = fitWithin(raster, WORKING_SIDE);
  const colours = resizeColours(raster, working.width, working.height);
  const found = await findSubject(inference, colours, {
    engine: options.engine,
    signal,
    onProgress: (fraction) => runtime.progress(fraction * WEIGHTS_DONE),
  });
  runtime.progress(MATTE_DONE);
  const subjects = findSubjects(found.matte);
  const matte = options.subject === 'primary' ? subjects.primary() : found.matte;
  const coefficients = refine(colours, matte);
  cutOut(
    raster,
    {
      coefficients,
      colours: foregroundColours(colours, applied(coefficients, colours), reachOf(working)),
      backdrop: options.backdrop,
    },
    (y) => {
      if (y % 64 !== 0) return;
      signal.throwIfAborted();
      runtime.progress(MATTE_DONE + (1 - MATTE_DONE) * (y / raster.height));
    },
  );
  return {
    subjectCount: subjects.count,
    quality: matteQuality(found.matte),
    engine: found.engine,
    warnings: found.warnings,
  };
}

/** The window spans the places that one cell of the matte stands for, and those of its neighbours. */
function refine(colours: FloatImage, matte: FloatImage): FloatImage {
  const { width, height } = colours;
  const cell = Math.max(width / matte.width, height / matte.height);
  const radius = Math.max(2, Math.ceil(cell * REFINEMENT.radiusCells));
  return guidedCoefficients(colours, resizeImage(matte, width, height), {
    radius,
    epsilon: REFINEMENT.epsilon,
  });
}

function applied(coefficients: FloatImage, { width, height, data }: FloatImage): FloatImage {
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
