import { wrap } from 'comlink';
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

/** Calls that run in a worker of their own. Each loads its own code, and rejects as that code does. */
export interface OneShotCalls {
  /** Makes the file of a cut-out video with its background and format. */
  finishVideo(files: CutoutFiles, edits: VideoEdits): WrittenVideo;
  /** Measures a file by FFmpeg. */
  measureFile(file: Blob, options: Omit<MeasureOptions, 'signal'>): MeasuredFile;
  /** Decodes the audio of a file once, and measures its peaks. */
  measurePeaks(file: Blob): Peaks;
  /** Writes a mix of stems. */
  mixStems(request: MixRequest): WrittenMix;
  /** Previews the simple fill of a canvas. */
  previewFill(file: Blob, params: ExtentParams): FillPreview;
  /**
   * Finds the subject of an image: whether a border cuts it tells how well a simple fill can do.
   * @returns one channel, 0 to 1, over the image; undefined where no model is available
   */
  readSubjectMask(file: Blob): FloatImage | undefined;
  /**
   * Decodes the thumbnail that a camera wrote into a HEIC.
   * @returns a PNG; null where the file has no thumbnail
   */
  readThumbnail(file: Blob): Blob | null;
  /**
   * Measures models that ran on the GPU on WebAssembly as well, so that new sessions take the faster of both. When it is
   * cancelled, no time is kept.
   */
  compareProviders(runs: readonly GpuRun[]): void;
}

/** Arguments of a call, and what receives its progress. */
export type OneShotArgs<Kind extends keyof OneShotCalls> = [
  ...args: Parameters<OneShotCalls[Kind]>,
  onProgress: ReportProgress,
];

/** Interface of the worker to the page. */
export type OneShotWorker = {
  readonly [Kind in keyof OneShotCalls]: (
    ...args: OneShotArgs<Kind>
  ) => Promise<Outcome<ReturnType<OneShotCalls[Kind]>>>;
};

const previews = createSemaphore(1);

/** Calls of one kind run one at a time, the others wait: decoders and encoders use whole cores. Kinds wait for no other. */
const SLOTS = {
  finishVideo: createSemaphore(1),
  measurePeaks: createSemaphore(1),
  mixStems: createSemaphore(1),
  previewFill: previews,
  readSubjectMask: previews,
  // A thumbnail is for the time in which its image waits for a run.
  readThumbnail: createSemaphore(1),
  compareProviders: createSemaphore(1),
};

interface CallOptions {
  /** Terminates the worker. */
  readonly signal: AbortSignal;
  readonly onProgress?: ReportProgress;
}

export function startOneShotWorker(): Worker {
  return new Worker(new URL('./one-shot.worker.ts', import.meta.url), { type: 'module' });
}

/**
 * Makes one call in its own worker, which ends with it.
 * @throws OperationError from the call; `cancelled` by the signal; `internal` when the worker fails
 */
export async function inWorker<Kind extends keyof typeof SLOTS>(
  kind: Kind,
  args: Parameters<OneShotCalls[Kind]>,
  { signal, onProgress = () => {} }: CallOptions,
): Promise<ReturnType<OneShotCalls[Kind]>> {
  const ended = new AbortController();
  try {
    const report = progressUntilEnd(ended.signal, onProgress);
    const ask = (worker: Worker) => {
      const remote = wrap<Pick<OneShotWorker, Kind>>(worker) as unknown as Pick<OneShotWorker, Kind>;
      return remote[kind](...args, report);
    };
    return await runInWorker(startOneShotWorker, ask, { slots: SLOTS[kind], signal });
  } finally {
    ended.abort();
  }
}
