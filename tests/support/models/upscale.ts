import { NO_MODELS } from '../../../models/core/inference/model-errors.ts';
import { ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import type { UpscaleNetwork } from '../../../models/operations/upscale/plan-passes.ts';
import { UPSCALERS } from '../../../models/operations/upscale/upscalers.ts';
import { encodeOnnxModel, type GraphPort } from '../../../server/ops/build/graphs/onnx.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

/** Mean of a sample and its eight neighbours, the sample counting eight times. */
const BLUR = [1, 1, 1, 1, 8, 1, 1, 1, 1].map((weight) => weight / 16);

/** Network of the same shapes as a real one, which repeats each sample of a slightly blurred image. */
export function createUpscaleModel({ scale }: UpscaleNetwork): Uint8Array<ArrayBuffer> {
  const outputs = 3 * scale ** 2;
  const port = (name: string): GraphPort => ({ name, type: 'float32', dims: [1, 3, 'height', 'width'] });
  const weights = Array.from({ length: outputs * 3 }, (_, at) => {
    // DepthToSpace takes the channels of one place within a sample one after the other.
    const isOwn = Math.floor(at / 3) % 3 === at % 3;
    return isOwn ? BLUR : BLUR.map(() => 0);
  });
  return encodeOnnxModel({
    inputs: [port('image')],
    outputs: [port('enlarged')],
    nodes: [
      { op: 'Conv', inputs: ['image', 'weights'], outputs: ['sums'], attributes: { pads: [1, 1, 1, 1] } },
      // At an edge the sum has fewer terms: it is divided by that of an image of ones.
      { op: 'Sub', inputs: ['image', 'image'], outputs: ['zeros'] },
      { op: 'Add', inputs: ['zeros', 'one'], outputs: ['ones'] },
      { op: 'Conv', inputs: ['ones', 'weights'], outputs: ['terms'], attributes: { pads: [1, 1, 1, 1] } },
      { op: 'Div', inputs: ['sums', 'terms'], outputs: ['deep'] },
      { op: 'DepthToSpace', inputs: ['deep'], outputs: ['enlarged'], attributes: { blocksize: scale } },
    ],
    constants: {
      one: { dims: [1], values: [1] },
      weights: { dims: [outputs, 3, 3, 3], values: weights.flat() },
    },
  });
}

/** Creates stand-ins for the networks of the named upscalers. The others are unavailable. */
export function createUpscaleInference(ids: readonly string[]): Inference {
  const networks = UPSCALERS.filter(({ id }) => ids.includes(id)).flatMap((upscaler) => upscaler.networks);
  return {
    async availability(card) {
      return networks.some((network) => network.card.id === card.id) ? 'ready' : 'unavailable';
    },
    read: NO_MODELS.read,
    async use(card, { signal }, work) {
      const network = networks.find((each) => each.card.id === card.id);
      if (!network) throw new Error(`no stand-in for ${card.id}`);
      const session = await ProviderChain.open(
        [onnxProvider('cpu', async () => createUpscaleModel(network))],
        signal,
      );
      return work(session).finally(() => session.release());
    },
  };
}
