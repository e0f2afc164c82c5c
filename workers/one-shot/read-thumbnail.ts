import { createSemaphore } from '../../models/core/concurrency.ts';
import { callOnce } from './one-shot.ts';

/** Apart from the slots of runs: a thumbnail is for the time in which its image waits for one. */
const slots = createSemaphore(1);

/**
 * Decodes the thumbnail that a camera wrote into a HEIC, in its own worker. One at a time; the others wait.
 * @param signal terminates the worker
 * @returns a PNG; null where the file has no thumbnail
 * @throws OperationError for a damaged one; `cancelled` by the signal; `internal` when the worker fails
 */
export function readThumbnailInWorker(file: Blob, signal: AbortSignal): Promise<Blob | null> {
  return callOnce((worker) => worker.readThumbnail(file), { slots, signal });
}
