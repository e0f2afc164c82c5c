import type { Backdrop } from '../kernels/backdrop.ts';
import type { Raster8 } from '../kernels/opaque.ts';
import { fitWithin, resizeColours } from '../kernels/resize.ts';
import { findSubjects } from '../kernels/subjects.ts';
import type { Runtime } from '../runtime.ts';
import { findSubject } from './find-subject.ts';
import { cutOutBy, WORKING_SIDE } from './matte-edges.ts';
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

/** Shares of the whole. */
const WEIGHTS_DONE = 0.4;
const MATTE_DONE = 0.6;

/**
 * Takes the background out of a raster, in place. The picture is looked at small by a network; its matte is brought
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
    isStill: true,
    signal,
    onProgress: (fraction) => runtime.progress(fraction * WEIGHTS_DONE),
  });
  runtime.progress(MATTE_DONE);
  const subjects = findSubjects(found.matte);
  const matte = options.subject === 'primary' ? subjects.primary() : found.matte;
  cutOutBy(raster, colours, matte, {
    backdrop: options.backdrop,
    onRow(y) {
      if (y % 64 !== 0) return;
      signal.throwIfAborted();
      runtime.progress(MATTE_DONE + (1 - MATTE_DONE) * (y / raster.height));
    },
  });
  return {
    subjectCount: subjects.count,
    quality: matteQuality(found.matte),
    engine: found.engine,
    warnings: found.warnings,
  };
}
