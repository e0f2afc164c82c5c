import { type Remote, wrap } from 'comlink';
import { createSemaphore } from '../../models/core/concurrency.ts';
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

/** Calls of one kind run one at a time, the others wait: decoders and encoders use whole cores. Kinds wait for no other. */
const SLOTS = {
  finishVideo: createSemaphore(1),
  measurePeaks: createSemaphore(1),
  mixStems: createSemaphore(1),
  previewFill: createSemaphore(1),
  readThumbnail: createSemaphore(1),
  compareProviders: createSemaphore(1),
};

interface CallOptions {
  /** Terminates the worker. */
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

export function startOneShotWorker(): Worker {
  return new Worker(new URL('./one-shot.worker.ts', import.meta.url), { type: 'module' });
}

/**
 * Makes the file of a cut-out video with its background and format, in its own worker.
 * @throws OperationError as the model's `finishVideo` does; `cancelled` by the signal; `internal` when the worker
 *   fails
 */
export function finishVideo(
  files: CutoutFiles,
  edits: VideoEdits,
  options: CallOptions,
): Promise<WrittenVideo> {
  return callOnce('finishVideo', options, (worker, report) => worker.finishVideo(files, edits, report));
}

/**
 * Decodes the audio of a file once and measures its peaks, in its own worker.
 * @throws OperationError `cancelled` by the signal; `bad_request` or `unprocessable` for the file; `unavailable` when
 *   this device cannot decode it; `internal` when the worker fails
 */
export function measurePeaks(file: Blob, options: CallOptions): Promise<Peaks> {
  return callOnce('measurePeaks', options, (worker, report) => worker.measurePeaks(file, report));
}

/**
 * Writes a mix of stems in its own worker.
 * @throws OperationError as `mixStems` does; `cancelled` by the signal; `internal` when the worker fails
 */
export function mixStemsInWorker(request: MixRequest, options: CallOptions): Promise<WrittenMix> {
  return callOnce('mixStems', options, (worker, report) => worker.mixStems(request, report));
}

/**
 * Previews the simple fill of a canvas in its own worker.
 * @param signal terminates the worker
 * @throws OperationError as the model's `previewFill` does; `cancelled` by the signal; `internal` when the worker fails
 */
export function previewFillInWorker(
  file: Blob,
  params: ExtentParams,
  signal: AbortSignal,
): Promise<FillPreview> {
  return callOnce('previewFill', { signal }, (worker) => worker.previewFill(file, params));
}

/**
 * Finds the subject of an image in its own worker: whether a border cuts it tells how well a simple fill can do. Waits for
 * the previews.
 * @returns one channel, 0 to 1, over the image; undefined where no model is available
 * @throws OperationError as `previewFillInWorker` does
 */
export function readSubjectInWorker(file: Blob, signal: AbortSignal): Promise<FloatImage | undefined> {
  return callOnce('previewFill', { signal }, (worker) => worker.readSubjectMask(file));
}

/**
 * Decodes the thumbnail that a camera wrote into a HEIC, in its own worker. It waits for no run: a thumbnail is for the
 * time in which its image waits for one.
 * @param signal terminates the worker
 * @returns a PNG; null where the file has no thumbnail
 * @throws OperationError for a damaged one; `cancelled` by the signal; `internal` when the worker fails
 */
export function readThumbnailInWorker(file: Blob, signal: AbortSignal): Promise<Blob | null> {
  return callOnce('readThumbnail', { signal }, (worker) => worker.readThumbnail(file));
}

/**
 * Measures models that ran on the GPU on WebAssembly as well, in its own worker, so that new sessions take the
 * faster of both.
 * @throws OperationError `cancelled` by the signal, at once, and then no time is kept; `internal` when the worker fails
 */
export function compareProviders(runs: readonly GpuRun[], signal: AbortSignal): Promise<void> {
  return callOnce('compareProviders', { signal }, (worker) => worker.compareProviders(runs));
}

/**
 * Makes one call in its own worker, which ends with it.
 * @throws OperationError from the call; `cancelled` by the signal; `internal` when the worker fails
 */
async function callOnce<Result>(
  kind: keyof typeof SLOTS,
  { signal, onProgress = () => {} }: { readonly signal: AbortSignal; readonly onProgress?: ReportProgress },
  call: (worker: Remote<OneShotWorker>, report: ReportProgress) => Promise<Outcome<Result>>,
): Promise<Result> {
  const ended = new AbortController();
  try {
    const report = progressUntilEnd(ended.signal, onProgress);
    return await runInWorker(startOneShotWorker, (worker) => call(wrap<OneShotWorker>(worker), report), {
      slots: SLOTS[kind],
      signal,
    });
  } finally {
    ended.abort();
  }
}
