import { OperationError } from '../../models/errors.ts';
import { ProviderChain } from '../../models/inference/provider-chain.ts';
import type { Inference } from '../../models/inference.ts';
import { onnxProvider } from '../../server/runtime/inference/onnx-provider.ts';
import { matteStandIn } from './matte-stand-ins.ts';

/**
 * Stand-ins for the matte networks named, on onnxruntime. The others are not at hand.
 * @param broken ids of those that are at hand and fail
 */
export function standInInference(ids: readonly string[], broken: readonly string[] = []): Inference {
  return {
    async availability(card) {
      return ids.includes(card.id) ? 'ready' : 'unavailable';
    },
    async use(card, { signal }, work) {
      if (broken.includes(card.id)) {
        throw new OperationError('unavailable', `${card.id}: the weights cannot be had.`);
      }
      const model = matteStandIn(card.id);
      const session = await ProviderChain.open([onnxProvider('cpu', async () => model)], signal);
      return work(session).finally(() => session.release());
    },
  };
}
