import { createSemaphore } from '../../models/core/concurrency.ts';
import type { GpuRun } from '../runtime/inference/gpu-runs.ts';
import { callOnce } from './one-shot.ts';

const slots = createSemaphore(1);

/**
 * Measures models that ran on the GPU on WebAssembly as well, in its own worker, so that new sessions take the
 * faster of both.
 * @throws OperationError `cancelled` by the signal, at once, and then no time is kept; `internal` when the worker fails
 */
export function compareProviders(runs: readonly GpuRun[], signal: AbortSignal): Promise<void> {
  return callOnce((worker) => worker.compareProviders(runs), { slots, signal });
}
