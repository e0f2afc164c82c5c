import type { Inference } from '../../../models/runtime/inference.ts';
import { openWeightStore } from '../weight-cache/index.ts';
import { inferenceDevice } from './inference-device.ts';
import { storedProviderTimes } from './provider-times.ts';
import { WebInference } from './web-inference.ts';

let opened: Promise<WebInference> | undefined;

/** Inference of this worker. Loads nothing before the first use; sessions stay warm. */
export const webInference: Inference = {
  availability: async (card) => (await open()).availability(card),
  use: async (card, options, work) => (await open()).use(card, options, work),
  read: async (card, options) => (await open()).read(card, options),
};

/** Compares the providers of this device by a run, where its models have run. Never rejects. */
export async function compareProviders(signal: AbortSignal): Promise<void> {
  await opened?.then((inference) => inference.compareProviders({ signal })).catch(() => {});
}

function open(): Promise<WebInference> {
  opened ??= Promise.all([openWeightStore(), inferenceDevice()]).then(
    ([weights, device]) => new WebInference({ weights, device, times: storedProviderTimes }),
  );
  return opened;
}
