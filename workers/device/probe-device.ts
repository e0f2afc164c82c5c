import { wrap } from 'comlink';
import { workerFailure } from '../bridge/worker-pool.ts';
import type { CapabilityWorker } from './capabilities.worker.ts';
import type { Capabilities } from './placement.ts';

/**
 * Probes this device in a worker that is terminated afterwards. Asking a browser for its codecs takes long enough to
 * block a page.
 * @throws OperationError `internal` when the worker cannot be started
 */
export async function probeDevice(): Promise<Capabilities> {
  const worker = new Worker(new URL('./capabilities.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await Promise.race([wrap<CapabilityWorker>(worker).probe(), workerFailure(worker)]);
  } finally {
    worker.terminate();
  }
}
