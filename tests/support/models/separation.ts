import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { encodeRandomUNet } from '../../../lab/bench/engines/spleeter-stand-in.ts';
import { NO_MODELS } from '../../../models/core/inference/model-errors.ts';
import { ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { weightFileName } from '../../../models/core/runtime/weight-card.ts';
import { DEMUCS_SEGMENT } from '../../../models/operations/stems/demucs-stems.ts';
import { SPLEETER_CARDS } from '../../../models/operations/stems/spleeter-masker.ts';
import { encodeOnnxModel } from '../../../server/ops/build/graphs/onnx.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

/**
 * Share of the mixture in the drums and the bass of the stand-in. The share of its vocals grows from 0 to 1 over a
 * segment.
 */
export const DRUMS = 0.125;
export const BASS = 0.25;
/** Filters of the random networks in place of Spleeter's, which has 16. */
const FILTERS = 2;

/** Graph of HTDemucs' contract whose sources, drums, bass, other and vocals, are shares of the mixture. */
function demucs(): Uint8Array<ArrayBuffer> {
  return encodeOnnxModel({
    inputs: [{ name: 'mix', type: 'float32', dims: [1, 2, DEMUCS_SEGMENT] }],
    outputs: [{ name: 'stems', type: 'float32', dims: [1, 4, 2, DEMUCS_SEGMENT] }],
    nodes: [
      { op: 'Mul', inputs: ['mix', 'shares'], outputs: ['steady'] },
      { op: 'Mul', inputs: ['mix', 'ramp'], outputs: ['vocals'] },
      { op: 'Concat', inputs: ['steady', 'vocals'], outputs: ['stems'], attributes: { axis: 1 } },
    ],
    constants: {
      shares: { dims: [1, 3, 1, 1], values: [DRUMS, BASS, 0.5] },
      ramp: {
        dims: [1, 1, 1, DEMUCS_SEGMENT],
        values: Float32Array.from({ length: DEMUCS_SEGMENT }, (_, at) => at / DEMUCS_SEGMENT),
      },
    },
  });
}

const NETWORKS: Readonly<Record<string, () => Uint8Array<ArrayBuffer>>> = Object.fromEntries([
  ...['htdemucs', 'htdemucs-fp16'].map((id) => [id, demucs]),
  ...SPLEETER_CARDS.map(({ id }, at) => [id, () => encodeRandomUNet(at + 1, FILTERS)]),
]);

/**
 * Creates stand-ins for the networks of the hub, and the real bundled one, on onnxruntime.
 * @param ids available engines
 */
export function createSeparationInference(ids: readonly string[]): Inference {
  return {
    async availability({ id }) {
      return ids.some((each) => id === each || id.startsWith(`${each}/`)) ? 'ready' : 'unavailable';
    },
    read: NO_MODELS.read,
    async use(card, { signal }, work) {
      const graph = async () =>
        NETWORKS[card.id]?.() ??
        new Uint8Array(await readFile(resolve('models/weights', weightFileName(card))));
      const session = await ProviderChain.open([onnxProvider('cpu', graph)], signal);
      return work(session).finally(() => session.release());
    },
  };
}
