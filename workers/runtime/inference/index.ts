import type { Inference } from '../../../models/core/runtime/inference.ts';
import { openWeightStore } from '../weight-cache/index.ts';
import type { GpuRun } from './gpu-runs.ts';
import { storedProviderTimes } from './provider-times.ts';
import { inferenceDevice } from './report-device.ts';
import { WebInference } from './web-inference.ts';

let opened: Promise<WebInference> | undefined;

/** Inference of this worker. Loads nothing before the first use; sessions stay warm. */
export const webInference: Inference = {
  availability: async (card) => (await open()).availability(card),
  use: async (card, options, work) => (await open()).use(card, options, work),
  read: async (card, options) => (await open()).read(card, options),
};

/** Lists runs of this worker's models on the GPU that no run has compared with WebAssembly. Never rejects. */
export async function listUncompared(): Promise<readonly GpuRun[]> {
  return (await opened?.then((inference) => inference.listUncompared()).catch(() => [])) ?? [];
}

/**
 * Compares runs of another worker on the GPU with WebAssembly, and keeps their times. Takes as many threads as a run
 * does, and does nothing else until then: a caller with other work for this device ends the worker.
 */
export async function compareWithWasm(runs: readonly GpuRun[], signal: AbortSignal): Promise<void> {
  for (const run of runs) await (await open()).compare(run, signal);
}

function open(): Promise<WebInference> {
  opened ??= Promise.all([openWeightStore(), inferenceDevice()]).then(
    ([weights, device]) => new WebInference({ weights, device, times: storedProviderTimes }),
  );
  return opened;
}
