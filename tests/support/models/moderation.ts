import { NO_MODELS } from '../../../models/core/inference/model-errors.ts';
import { ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { encodeOnnxModel, type GraphNode } from '../../../server/ops/build/graphs/onnx.ts';
import { convertNsfwModel } from '../../../server/ops/build/graphs/write-bundled-graphs.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

const CLIP_MEAN = [0.48145466, 0.4578275, 0.40821073];
const CLIP_DEVIATION = [0.26862954, 0.26130258, 0.27577711];

/** Tokens of words that one text alone has: of Violence at High, of Hate at High, and of an ordinary image. */
const BLOOD = 3590;
const NAZI = 12972;
const LANDSCAPE = 5727;

/** Image encoder of CLIP's contract whose embedding is the image's mean red, green and blue. */
function clipVision(): Uint8Array<ArrayBuffer> {
  return encodeOnnxModel({
    inputs: [{ name: 'pixel_values', type: 'float32', dims: ['batch', 3, 224, 224] }],
    outputs: [{ name: 'image_embeds', type: 'float32', dims: ['batch', 3] }],
    nodes: [
      { op: 'Mul', inputs: ['pixel_values', 'deviation'], outputs: ['wide'] },
      { op: 'Add', inputs: ['wide', 'mean'], outputs: ['colours'] },
      {
        op: 'ReduceMean',
        inputs: ['colours'],
        outputs: ['image_embeds'],
        attributes: { axes: [2, 3], keepdims: 0 },
      },
    ],
    constants: {
      mean: { dims: [1, 3, 1, 1], values: CLIP_MEAN },
      deviation: { dims: [1, 3, 1, 1], values: CLIP_DEVIATION },
    },
  });
}

/** Text encoder of CLIP's contract that tells blood (red), nazi (green) and landscape (blue) from anything else. */
function clipText(): Uint8Array<ArrayBuffer> {
  const has = (name: string): GraphNode[] => [
    { op: 'Equal', inputs: ['numbers', name], outputs: [`is-${name}`] },
    { op: 'Cast', inputs: [`is-${name}`], outputs: [`as-${name}`], attributes: { to: 1 } },
    {
      op: 'ReduceMax',
      inputs: [`as-${name}`],
      outputs: [`has-${name}`],
      attributes: { axes: [1], keepdims: 1 },
    },
  ];
  return encodeOnnxModel({
    inputs: [{ name: 'input_ids', type: 'int64', dims: ['batch', 'sequence'] }],
    outputs: [{ name: 'text_embeds', type: 'float32', dims: ['batch', 3] }],
    nodes: [
      { op: 'Cast', inputs: ['input_ids'], outputs: ['numbers'], attributes: { to: 1 } },
      ...['blood', 'nazi', 'landscape'].flatMap(has),
      {
        op: 'Concat',
        inputs: ['has-blood', 'has-nazi', 'has-landscape'],
        outputs: ['text_embeds'],
        attributes: { axis: 1 },
      },
    ],
    constants: {
      blood: { dims: [1], values: [BLOOD] },
      nazi: { dims: [1], values: [NAZI] },
      landscape: { dims: [1], values: [LANDSCAPE] },
    },
  });
}

/** Network of the NSFW ViT's contract that finds red unsafe: its second logit is ten times the mean red, in -1 to 1. */
function nsfwVit(): Uint8Array<ArrayBuffer> {
  return encodeOnnxModel({
    inputs: [{ name: 'pixel_values', type: 'float32', dims: ['batch', 3, 384, 384] }],
    outputs: [{ name: 'logits', type: 'float32', dims: ['batch', 2] }],
    nodes: [
      {
        op: 'ReduceMean',
        inputs: ['pixel_values'],
        outputs: ['colours'],
        attributes: { axes: [2, 3], keepdims: 0 },
      },
      { op: 'MatMul', inputs: ['colours', 'weights'], outputs: ['logits'] },
    ],
    constants: { weights: { dims: [3, 2], values: [0, 10, 0, 0, 0, 0] } },
  });
}

const GRAPHS: Readonly<Record<string, () => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>>> = {
  'clip-vit-b32-vision-uint8': clipVision,
  'clip-vit-b32-text-q4': clipText,
  'nsfw-vit-int8': nsfwVit,
  'nsfw-mobilenet': convertNsfwModel,
};

export const CLIP_IDS = ['clip-vit-b32-vision-uint8', 'clip-vit-b32-text-q4'];

/** Inference that counts how often each model was opened. */
export interface CountedInference extends Inference {
  readonly opened: readonly string[];
}

/**
 * Creates stand-ins for the networks of the hub, and the real bundled one, on onnxruntime.
 * @param ids available models; the others are unavailable
 * @param broken ids of available models that fail
 */
export function createModerationInference(
  ids: readonly string[],
  broken: readonly string[] = [],
): CountedInference {
  const opened: string[] = [];
  return {
    opened,
    async availability(card) {
      return ids.includes(card.id) ? 'ready' : 'unavailable';
    },
    read: NO_MODELS.read,
    async use(card, { signal }, work) {
      opened.push(card.id);
      if (broken.includes(card.id)) {
        throw new OperationError('unavailable', `${card.id}: the weights cannot be downloaded.`);
      }
      const graph = await GRAPHS[card.id]?.();
      if (!graph) throw new Error(`no graph for ${card.id}`);
      const session = await ProviderChain.open([onnxProvider('cpu', async () => graph)], signal);
      return work(session).finally(() => session.release());
    },
  };
}
