import { type Remote, wrap } from 'comlink';
import type { Semaphore } from '../../models/core/concurrency.ts';
import type { ReportProgress } from '../../models/core/runtime/progress.ts';
import type { FloatImage } from '../../models/core/runtime/raster.ts';
import type { Peaks } from '../../models/kernels/audio/peaks.ts';
import type { MeasuredFile, MeasureOptions } from '../../models/media/audio/read/measure-file.ts';
import type { ExtentParams } from '../../models/operations/extend/geometry.ts';
import type { FillPreview } from '../../models/operations/extend/preview-fill.ts';
import type { CutoutFiles, VideoEdits } from '../../models/operations/remove-bg/cutout-edits.ts';
import type { WrittenVideo } from '../../models/operations/remove-bg/finish-video.ts';
import type { MixRequest, WrittenMix } from '../../models/operations/stems/mix-stems.ts';
import type { Outcome } from '../bridge/protocol.ts';
import { progressUntilEnd } from '../bridge/until-end.ts';
import { runInWorker } from '../bridge/worker-pool.ts';
import type { GpuRun } from '../runtime/inference/gpu-runs.ts';

/** Interface of the worker to the page: each call loads its own code. */
export interface OneShotWorker {
  finishVideo(
    files: CutoutFiles,
    edits: VideoEdits,
    onProgress: ReportProgress,
  ): Promise<Outcome<WrittenVideo>>;
  measureFile(
    file: Blob,
    options: Omit<MeasureOptions, 'signal'>,
    onProgress: ReportProgress,
  ): Promise<Outcome<MeasuredFile>>;
  measurePeaks(file: Blob, onProgress: ReportProgress): Promise<Outcome<Peaks>>;
  previewFill(file: Blob, params: ExtentParams): Promise<Outcome<FillPreview>>;
  /** @returns undefined where no model is available */
  readSubjectMask(file: Blob): Promise<Outcome<FloatImage | undefined>>;
  /** @returns null where the file has no thumbnail */
  readThumbnail(file: Blob): Promise<Outcome<Blob | null>>;
  mixStems(request: MixRequest, onProgress: ReportProgress): Promise<Outcome<WrittenMix>>;
  compareProviders(runs: readonly GpuRun[]): Promise<Outcome<void>>;
}

export interface OneShotOptions {
  /** Terminates the worker. */
  readonly signal: AbortSignal;
  /** Shared by calls that must not run at the same time. */
  readonly slots: Semaphore;
  /** Receives the progress of the call, until it ends. */
  readonly onProgress?: ReportProgress;
}

export function startOneShotWorker(): Worker {
  return new Worker(new URL('./one-shot.worker.ts', import.meta.url), { type: 'module' });
}

/**
 * Makes one call in its own worker, which ends with it.
 * @throws OperationError from the call; `cancelled` by the signal; `internal` when the worker fails
 */
export async function callOnce<Result>(
  call: (worker: Remote<OneShotWorker>, report: ReportProgress) => Promise<Outcome<Result>>,
  { onProgress = () => {}, ...options }: OneShotOptions,
): Promise<Result> {
  const ended = new AbortController();
  try {
    const report = progressUntilEnd(ended.signal, onProgress);
    return await runInWorker(
      startOneShotWorker,
      (worker) => call(wrap<OneShotWorker>(worker), report),
      options,
    );
  } finally {
    ended.abort();
  }
}
