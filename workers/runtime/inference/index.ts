import type { Inference } from '../../../models/inference.ts';
import { openWeightStore } from '../weight-cache/index.ts';
import { networkDevice } from './device.ts';
import { WebInference } from './web-inference.ts';

let opened: Promise<WebInference> | undefined;

/** The networks of this worker. Nothing is asked or loaded before the first is used; sessions stay warm. */
export const webInference: Inference = {
  availability: async (card) => (await open()).availability(card),
  use: async (card, options, work) => (await open()).use(card, options, work),
};

function open(): Promise<WebInference> {
  opened ??= Promise.all([openWeightStore(), networkDevice()]).then(
    ([weights, device]) => new WebInference({ weights, device }),
  );
  return opened;
}
