import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { NO_MODELS } from '../../../models/core/inference/model-errors.ts';
import { ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import { encodeOnnxModel } from '../../../server/ops/build/graphs/onnx.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

const RATE = 16_000;
/** Steady tones, in Hz, that the stand-in for the segmentation hears as its first and second speaker. */
export const VOICES = [400, 3000] as const;

const KERNEL = 991;
const STEP = 270;

/** Graph of the segmentation's contract that hears two tones, and both at once. */
export function encodeSegmentation(): Uint8Array<ArrayBuffer> {
  const filters = VOICES.flatMap((hertz) =>
    [Math.cos, Math.sin].map((wave) =>
      Array.from({ length: KERNEL }, (_, at) => (wave((2 * Math.PI * hertz * at) / RATE) * 2) / KERNEL),
    ),
  );
  // Tones of 0.2 have a power of 0.04; half of it is the threshold.
  const half = 0.02;
  const [first, second] = [
    [0, 1, 0, 0, 1, 0, 0],
    [0, 0, 1, 0, 1, 0, 0],
  ];
  return encodeOnnxModel({
    inputs: [{ name: 'x', type: 'float32', dims: ['N', 1, 'T'] }],
    outputs: [{ name: 'y', type: 'float32', dims: ['N', 'frames', 7] }],
    nodes: [
      {
        op: 'Conv',
        inputs: ['x', 'filters'],
        outputs: ['waves'],
        attributes: { kernel_shape: [KERNEL], strides: [STEP] },
      },
      { op: 'Mul', inputs: ['waves', 'waves'], outputs: ['powers'] },
      { op: 'Transpose', inputs: ['powers'], outputs: ['rows'], attributes: { perm: [0, 2, 1] } },
      { op: 'MatMul', inputs: ['rows', 'classes'], outputs: ['scores'] },
      { op: 'Add', inputs: ['scores', 'bias'], outputs: ['y'] },
    ],
    constants: {
      filters: { dims: [4, 1, KERNEL], values: filters.flat() },
      classes: { dims: [4, 7], values: [first, first, second, second].flat() as number[] },
      bias: { dims: [7], values: [half, 0, 0, -1, -half, -1, -1] },
    },
  });
}

/** Graph of the embedding's contract: how much each band varies. */
function embedding(): Uint8Array<ArrayBuffer> {
  const spread = Array.from({ length: 80 * 256 }, (_, at) => (at % 256 === Math.floor(at / 256) ? 1 : 0));
  return encodeOnnxModel({
    inputs: [{ name: 'feats', type: 'float32', dims: ['B', 'T', 80] }],
    outputs: [{ name: 'embs', type: 'float32', dims: ['B', 256] }],
    nodes: [
      { op: 'Mul', inputs: ['feats', 'feats'], outputs: ['squares'] },
      {
        op: 'ReduceMean',
        inputs: ['squares'],
        outputs: ['means'],
        attributes: { axes: [1], keepdims: 0 },
      },
      { op: 'MatMul', inputs: ['means', 'spread'], outputs: ['embs'] },
    ],
    constants: { spread: { dims: [80, 256], values: spread } },
  });
}

/** Graph of Silero VAD's contract that takes every sound for speech. */
function soundDetection(): Uint8Array<ArrayBuffer> {
  return encodeOnnxModel({
    inputs: [
      { name: 'input', type: 'float32', dims: [1, 576] },
      { name: 'state', type: 'float32', dims: [2, 1, 128] },
      { name: 'sr', type: 'int64', dims: [] },
    ],
    outputs: [
      { name: 'output', type: 'float32', dims: [1, 1] },
      { name: 'stateN', type: 'float32', dims: [2, 1, 128] },
    ],
    nodes: [
      { op: 'Abs', inputs: ['input'], outputs: ['levels'] },
      { op: 'ReduceMax', inputs: ['levels'], outputs: ['peak'], attributes: { axes: [1], keepdims: 1 } },
      { op: 'Mul', inputs: ['peak', 'scale'], outputs: ['scaled'] },
      { op: 'Min', inputs: ['scaled', 'one'], outputs: ['output'] },
      { op: 'Identity', inputs: ['state'], outputs: ['stateN'] },
    ],
    constants: { scale: { dims: [1], values: [100] }, one: { dims: [1], values: [1] } },
  });
}

export const HUB_IDS = ['pyannote-segmentation-3.0', 'wespeaker-resnet34-lm'];

const STAND_INS: Readonly<Record<string, () => Uint8Array<ArrayBuffer>>> = {
  'pyannote-segmentation-3.0': encodeSegmentation,
  'pyannote-segmentation-3.0-int8': encodeSegmentation,
  'wespeaker-resnet34-lm': embedding,
  'silero-vad': soundDetection,
};

/**
 * Creates stand-ins for networks, and the real bundled ones, on onnxruntime.
 * @param ids networks that stand-ins replace; no other one of the hub is available
 */
export function createDiarizationInference(ids: readonly string[]): Inference {
  return {
    async availability({ id, url }) {
      return url === null || ids.includes(id) ? 'ready' : 'unavailable';
    },
    read: NO_MODELS.read,
    async use(card, { signal }, work) {
      const session = await ProviderChain.open([onnxProvider('cpu', () => read(card, ids))], signal);
      return work(session).finally(() => session.release());
    },
  };
}

async function read(card: WeightCard, ids: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const standIn = ids.includes(card.id) ? STAND_INS[card.id] : undefined;
  if (standIn) return standIn();
  const path = resolve(import.meta.dirname, '../../../models/weights', weightFileName(card));
  return new Uint8Array(await readFile(path));
}
