import { wrap } from 'comlink';
import type { CapabilityWorker } from './capabilities.worker.ts';
import { fault } from './fault.ts';
import type { Capabilities } from './runtime/placement.ts';

/**
 * Finds out what this device can do where the work is done as well: in a worker, which is ended afterwards. Asking a
 * browser for its codecs takes long enough to hold a page up.
 * @throws OperationError `internal` when the worker cannot be started
 */
export async function probeDevice(): Promise<Capabilities> {
  const worker = new Worker(new URL('./capabilities.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await Promise.race([wrap<CapabilityWorker>(worker).probe(), fault(worker)]);
  } finally {
    worker.terminate();
  }
}
