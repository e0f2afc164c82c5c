import { wrap } from 'comlink';
import { createSemaphore } from '../../models/core/concurrency.ts';
import type { MeasuredFile, MeasureOptions } from '../../models/media/audio/read/measure-file.ts';
import { unwrap } from '../bridge/protocol.ts';
import { progressUntilEnd } from '../bridge/until-end.ts';
import { createWorkerPool, workerFailure } from '../bridge/worker-pool.ts';
import { type OneShotWorker, startOneShotWorker } from './one-shot.ts';
import { readerLoading } from './reader-loading.ts';

/** FFmpeg reads one file after the other. */
const slots = createSemaphore(1);

/** Worker with a warm FFmpeg, for the further files of a batch. */
const workers = createWorkerPool(() => {
  const worker = startOneShotWorker();
  return { worker, remote: wrap<OneShotWorker>(worker) };
});

/**
 * Measures a file by FFmpeg to its end, also when its caller was cancelled: the next run takes it.
 * @throws OperationError as `MeasureFile`; `unavailable` when FFmpeg cannot run in this browser
 */
export async function measureInWorker(
  file: Blob,
  { demuxer, secondsMax }: MeasureOptions,
): Promise<MeasuredFile> {
  const release = await slots.acquire();
  const taken = workers.acquire();
  const ended = new AbortController();
  try {
    const report = progressUntilEnd(ended.signal, ({ loading }) => readerLoading.set(loading));
    const asked = taken.remote.measureFile(file, { demuxer, secondsMax }, report);
    const measured = await Promise.race([asked.then(unwrap<MeasuredFile>), workerFailure(taken.worker)]);
    workers.release(taken);
    return measured;
  } catch (thrown) {
    taken.worker.terminate();
    throw thrown;
  } finally {
    ended.abort();
    readerLoading.set(undefined);
    release();
  }
}
