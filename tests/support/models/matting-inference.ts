import { NO_MODELS } from '../../../models/core/inference/model-errors.ts';
import { ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';
import { createMatteModel } from './matte.ts';

/**
 * Creates stand-ins for the named matting models, on onnxruntime. The others are unavailable.
 * @param broken ids of available models that fail
 */
export function createMattingInference(ids: readonly string[], broken: readonly string[] = []): Inference {
  return {
    async availability(card) {
      return ids.includes(card.id) ? 'ready' : 'unavailable';
    },
    read: NO_MODELS.read,
    async use(card, { signal }, work) {
      if (broken.includes(card.id)) {
        throw new OperationError('unavailable', `${card.id}: the weights cannot be downloaded.`);
      }
      const model = createMatteModel(card.id);
      const session = await ProviderChain.open([onnxProvider('cpu', async () => model)], signal);
      return work(session).finally(() => session.release());
    },
  };
}
