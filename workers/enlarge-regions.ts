import { proxy, wrap } from 'comlink';
import type { Region } from '../models/kernels/raster/crop-raster.ts';
import type { OutputFile } from '../models/operation.ts';
import { createSemaphore } from '../models/semaphore.ts';
import type { EnlargedRegion } from '../models/upscale/enlarge-region.ts';
import { cancelled, type Outcome, unwrap } from './protocol.ts';
import type { ReportProgress } from './runtime/progress-meter.ts';
import { workerFailure } from './worker-failure.ts';

/** Part of an image to enlarge. */
export interface RegionOrder {
  /** In pixels of the upright image, within it. */
  readonly region: Region;
  /** Params of `upscale`. */
  readonly params: object;
  /** Whether the image is a frame of a video, for which the fast model comes first. */
  readonly isFrame: boolean;
}

type RegionFacts = Omit<EnlargedRegion, 'raster'>;

/** Enlarged region to show. Whoever receives it closes the bitmap. */
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
  preview(order: RegionOrder): Promise<Outcome<RegionPreview>>;
  save(order: RegionOrder, onProgress: ReportProgress): Promise<Outcome<SavedRegion>>;
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
  preview(order: RegionOrder, signal: AbortSignal): Promise<RegionPreview>;
  /**
   * Enlarges a region and makes its file.
   * @throws OperationError as `preview` does
   */
  save(order: RegionOrder, signal: AbortSignal, onProgress: ReportProgress): Promise<SavedRegion>;
  /** Frees the memory. Pending calls never settle. */
  end(): void;
}

/** Opens an image for its regions, in a worker that lives until the session ends. It holds the decoded image. */
export function openRegions(image: Blob): RegionSession {
  const worker = new Worker(new URL('./enlarge-regions.worker.ts', import.meta.url), { type: 'module' });
  const remote = wrap<RegionWorker>(worker);
  const turns = createSemaphore(1);
  const failed = workerFailure(worker);
  const opened = remote.open(image).then(unwrap<void>);
  // Callers receive these errors; without callers nobody needs them.
  opened.catch(() => {});
  failed.catch(() => {});
  const inTurn = async <Result>(
    signal: AbortSignal,
    ask: () => Promise<Outcome<Result>>,
  ): Promise<Result> => {
    const release = await turns.acquire(signal).catch(() => {
      throw cancelled();
    });
    const cancel = () => void remote.cancel();
    try {
      await Promise.race([opened, failed]);
      if (signal.aborted) throw cancelled();
      signal.addEventListener('abort', cancel, { once: true });
      return await Promise.race([ask().then(unwrap<Result>), failed]);
    } finally {
      signal.removeEventListener('abort', cancel);
      release();
    }
  };
  return {
    preview: (order, signal) => inTurn(signal, () => remote.preview(order)),
    save: (order, signal, onProgress) => inTurn(signal, () => remote.save(order, proxy(onProgress))),
    end: () => worker.terminate(),
  };
}
