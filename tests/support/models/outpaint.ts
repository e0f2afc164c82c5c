import { ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { encodeOnnxModel } from '../../../server/ops/build/graphs/onnx.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

/** Graph of LaMa's contract that paints what is unknown in white. */
function lama(): Uint8Array<ArrayBuffer> {
  return encodeOnnxModel({
    inputs: [
      { name: 'image', type: 'float32', dims: [1, 3, 512, 512] },
      { name: 'mask', type: 'float32', dims: [1, 1, 512, 512] },
    ],
    outputs: [{ name: 'output', type: 'float32', dims: [1, 3, 512, 512] }],
    nodes: [
      { op: 'Add', inputs: ['image', 'mask'], outputs: ['painted'] },
      { op: 'Mul', inputs: ['painted', 'white'], outputs: ['output'] },
    ],
    constants: { white: { dims: [1], values: [255] } },
  });
}

/** Graph of MI-GAN's contract that paints what is unknown in white. */
export function migan(): Uint8Array<ArrayBuffer> {
  return encodeOnnxModel({
    inputs: [
      { name: 'image', type: 'uint8', dims: [1, 3, 'height', 'width'] },
      { name: 'mask', type: 'uint8', dims: [1, 1, 'height', 'width'] },
    ],
    outputs: [{ name: 'result', type: 'uint8', dims: [1, 3, 'height', 'width'] }],
    nodes: [
      { op: 'Cast', inputs: ['image'], outputs: ['colours'], attributes: { to: 1 } },
      { op: 'Cast', inputs: ['mask'], outputs: ['kept'], attributes: { to: 1 } },
      { op: 'Sub', inputs: ['white', 'kept'], outputs: ['unknown'] },
      { op: 'Add', inputs: ['colours', 'unknown'], outputs: ['painted'] },
      { op: 'Cast', inputs: ['painted'], outputs: ['result'], attributes: { to: 2 } },
    ],
    constants: { white: { dims: [1], values: [255] } },
  });
}

const GRAPHS: Readonly<Record<string, () => Uint8Array<ArrayBuffer>>> = {
  'lama-fp32': lama,
  'lama-opencv': lama,
  'migan-pipeline-v2': migan,
};

/** Creates stand-ins for the named networks of `image-outpaint`. Everything else is left to `others`. */
export function createOutpaintInference(ids: readonly string[], others: Inference): Inference {
  return {
    availability: async (card) =>
      card.operation !== 'image-outpaint'
        ? others.availability(card)
        : ids.includes(card.id)
          ? 'ready'
          : 'unavailable',
    read: others.read,
    async use(card, options, work) {
      const graph = GRAPHS[card.id];
      if (!graph) return others.use(card, options, work);
      const session = await ProviderChain.open([onnxProvider('cpu', async () => graph())], options.signal);
      return work(session).finally(() => session.release());
    },
  };
}
