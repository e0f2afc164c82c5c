import { type Remote, wrap } from 'comlink';
import { createSemaphore, type Semaphore } from '../../models/core/concurrency.ts';
import { OperationError } from '../../models/core/operation/errors.ts';
import type { OutputFile } from '../../models/core/operation/run-result.ts';
import type { ReportProgress } from '../../models/core/runtime/progress.ts';
import type { PixelRegion } from '../../models/core/runtime/raster.ts';
import type { EnlargedRegion } from '../../models/operations/upscale/enlarge-region.ts';
import { cancelled, type Outcome, unwrap } from '../bridge/protocol.ts';
import { runSlots } from '../bridge/run-slots.ts';
import { progressUntilEnd } from '../bridge/until-end.ts';
import { workerFailure } from '../bridge/worker-pool.ts';

/** Part of an image to enlarge. */
export interface RegionRequest {
  /** In pixels of the upright image, within it. */
  readonly region: PixelRegion;
  /** Params of `upscale`. */
  readonly params: object;
  /** Whether the image is a frame of a video, for which the fast model comes first. */
  readonly isFrame: boolean;
}

type RegionFacts = Omit<EnlargedRegion, 'raster'>;

/** Enlarged region to show. The receiver closes the bitmap. */
export interface RegionPreview extends RegionFacts {
  readonly bitmap: ImageBitmap;
}

/** Enlarged region as a file. */
export interface SavedRegion extends RegionFacts {
  readonly file: OutputFile;
}

/** Interface of the worker to the page. */
export interface RegionWorker {
  open(image: Blob): Promise<Outcome<void>>;
  preview(request: RegionRequest): Promise<Outcome<RegionPreview>>;
  save(request: RegionRequest, onProgress: ReportProgress): Promise<Outcome<SavedRegion>>;
  /** Asks the current call to end soon. */
  cancel(): void;
}

/** Regions of one image, enlarged one at a time. The next waits until a cancelled one has ended. */
export interface RegionSession {
  /**
   * Enlarges a region to show it.
   * @throws OperationError `cancelled` by the signal; `unprocessable` when the image is corrupt; `unavailable` without
   *   a model or memory; `internal` when the worker fails
   */
  preview(request: RegionRequest, signal: AbortSignal): Promise<RegionPreview>;
  /**
   * Enlarges a region and makes its file, as one of the runs of `runSlots`.
   * @throws OperationError as `preview` does
   */
  save(request: RegionRequest, signal: AbortSignal, onProgress: ReportProgress): Promise<SavedRegion>;
  /** Frees the memory as soon as no file is being made. Pending previews may never settle. */
  end(): void;
}

interface OpenWorker {
  readonly remote: Remote<RegionWorker>;
  readonly opened: Promise<void>;
  readonly failed: Promise<never>;
  stop(): void;
}

function openWorker(image: Blob): OpenWorker {
  const worker = new Worker(new URL('./enlarge-regions.worker.ts', import.meta.url), { type: 'module' });
  const remote = wrap<RegionWorker>(worker);
  const failed = workerFailure(worker);
  const opened = remote.open(image).then(unwrap<void>);
  // Callers receive these errors; without callers they are not needed.
  opened.catch(() => {});
  failed.catch(() => {});
  return { remote, opened, failed, stop: () => worker.terminate() };
}

/**
 * Opens an image for its regions, in a worker that lives until the session ends. It holds the decoded image. After a
 * failure of the worker the next call opens another.
 */
export function openRegions(image: Blob): RegionSession {
  const semaphore = createSemaphore(1);
  let current: OpenWorker | undefined;
  let saves = 0;
  let isEnded = false;
  const close = () => {
    current?.stop();
    current = undefined;
  };
  const open = (): OpenWorker => {
    const opened = openWorker(image);
    opened.failed.catch(() => current === opened && close());
    return opened;
  };
  const serialize = async <Result>(
    signal: AbortSignal,
    ask: (remote: Remote<RegionWorker>) => Promise<Outcome<Result>>,
  ): Promise<Result> => {
    const release = await acquireSlot(semaphore, signal);
    current ??= open();
    const { remote, opened, failed } = current;
    const cancel = () => void remote.cancel();
    try {
      await Promise.race([opened, failed]);
      if (signal.aborted) throw cancelled();
      signal.addEventListener('abort', cancel, { once: true });
      return await Promise.race([ask(remote).then(unwrap<Result>), failed]);
    } catch (error) {
      // A fault leaves the worker in an unknown state.
      if (error instanceof OperationError && error.code === 'internal') close();
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      release();
    }
  };
  // The image is decoded before the first call.
  current = open();
  return {
    preview: (request, signal) => serialize(signal, (remote) => remote.preview(request)),
    async save(request, signal, onProgress) {
      saves += 1;
      let release = () => {};
      const ended = new AbortController();
      const report = progressUntilEnd(ended.signal, onProgress);
      try {
        // A region next to a whole image could exceed the memory: they wait for each other.
        release = await acquireSlot(runSlots, signal);
        return await serialize(signal, (remote) => remote.save(request, report));
      } finally {
        ended.abort();
        release();
        saves -= 1;
        if (isEnded && saves === 0) close();
      }
    },
    end() {
      isEnded = true;
      if (saves === 0) close();
    },
  };
}

/** @throws OperationError `cancelled` by the signal */
function acquireSlot(semaphore: Semaphore, signal: AbortSignal): Promise<() => void> {
  return semaphore.acquire(signal).catch(() => {
    throw cancelled();
  });
}
