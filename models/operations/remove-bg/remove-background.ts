import { type Draft, steps } from '../../core/runtime/progress.ts';
import type { FloatImage, Raster8 } from '../../core/runtime/raster.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { findSubjects } from '../../kernels/raster/subjects.ts';
import { fitWithin, resizeColours } from '../../kernels/resize/resize.ts';
import { findSubject } from '../../matting/find-subject.ts';
import { judgeMatte, type MatteJudgement } from '../../matting/matte-quality.ts';
import type { Backdrop } from './backdrop/backdrop.ts';
import { CUT_SIDE, completeMatte } from './matte/complete-matte.ts';
import { cutOutWithMatte, WORKING_SIDE } from './matte-edges.ts';

export interface RemoveOptions {
  /** Id of a model's weights, or `auto`. */
  readonly engine: string;
  readonly subject: 'all' | 'primary';
  /** Null leaves the background transparent. */
  readonly backdrop: Backdrop | null;
}

export interface Removal extends MatteJudgement {
  readonly subjectCount: number;
  readonly engine: string;
  readonly warnings: readonly RunWarning[];
}

const STEPS = steps({ 'loading the model': 0.4, 'finding the subject': 0.2, 'cutting it out': 0.4 });

/**
 * Removes the background of a raster, in place. A model sees the image small; its matte is refined to full resolution
 * along the image's own edges, and edges get the subject's own colours.
 * @throws OperationError `unavailable` when no model is available
 */
export async function removeBackground(
  raster: Raster8,
  options: RemoveOptions,
  runtime: Pick<Runtime, 'inference' | 'signal' | 'progress' | 'draft'>,
): Promise<Removal> {
  const { inference, signal, draft } = runtime;
  const { step, span } = STEPS.of(runtime.progress);
  const working = fitWithin(raster, WORKING_SIDE);
  const colours = resizeColours(raster, working.width, working.height);
  const found = await findSubject(inference, colours, {
    engine: options.engine,
    isStill: true,
    signal,
    onProgress: span('loading the model'),
    onFirst: draft && ((matte) => draft(getDraft(matte))),
  });
  const completed = completeMatte(found.matte, colours, CUT_SIDE.still);
  const subjects = findSubjects(completed);
  const matte = options.subject === 'primary' ? subjects.primary() : completed;
  draft?.(getDraft(matte));
  await step('cutting it out', async (progress) =>
    cutOutWithMatte(raster, colours, matte, {
      backdrop: options.backdrop,
      onRow(y) {
        if (y % 64 !== 0) return;
        signal.throwIfAborted();
        progress({ fraction: y / raster.height });
      },
    }),
  );
  return {
    subjectCount: subjects.count,
    ...judgeMatte(found.matte, completed),
    engine: found.engine,
    warnings: found.warnings,
  };
}

function getDraft({ width, height, data }: FloatImage): Draft {
  return { width, height, opacity: Uint8Array.from(data, (value) => Math.round(value * 255)) };
}
