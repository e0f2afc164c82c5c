import { createSemaphore } from '../../models/core/concurrency.ts';
import { callOnce } from '../one-shot/one-shot.ts';

/** Measurements hold a copy of FFmpeg each. */
const slots = createSemaphore(1);

/**
 * Loads the definitions of the operations, so that no page bundle contains them. The files that only FFmpeg reads are
 * measured in a worker, which loads it with the first of them.
 */
export async function loadOperations() {
  const [{ OPERATIONS }, { provideFfmpeg }] = await Promise.all([
    import('../../models/registry.ts'),
    import('../../models/media/audio/read/measure-file.ts'),
  ]);
  provideFfmpeg((file, { signal = new AbortController().signal, ...options }) =>
    callOnce((worker) => worker.measureFile(file, options), { slots, signal }),
  );
  return OPERATIONS;
}
