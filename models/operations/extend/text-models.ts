import { OperationError } from '../../core/operation/errors.ts';
import type { Session } from '../../core/runtime/inference.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import { floatTensor, getFloats, type Tensor, type TensorType } from '../../core/runtime/tensor.ts';
import type { WeightCard } from '../../core/runtime/weight-card.ts';
import { IMAGE_MODERATION_WEIGHTS } from '../../moderation/weights.ts';
import { ddimSampler, lcmSampler, type Sampler } from './samplers.ts';
import { IMAGE_OUTPAINT_WEIGHTS } from './weights.ts';

/** Numbers for an input of a graph, in whatever type it takes. */
interface GraphInput {
  readonly dims: readonly number[];
  readonly values: Float32Array<ArrayBuffer>;
}

export interface GraphRun {
  readonly values: Float32Array<ArrayBuffer>;
  readonly provider: string;
  readonly notices: readonly RunWarning[];
}

/** Latent-diffusion model that paints what a text says. */
export interface TextModel {
  /** Engine that a request names. */
  readonly id: string;
  readonly name: string;
  readonly cards: {
    readonly text: WeightCard;
    readonly encoder: WeightCard;
    readonly unet: WeightCard;
    readonly decoder: WeightCard;
    readonly vocabulary: WeightCard;
    readonly merges: WeightCard;
  };
  readonly sampler: Sampler;
  /** First step of the sampler where a rough image is refined: later ones keep more of it. */
  readonly refinesFrom: number;
  /** Weight of what the text changes; 1 needs no prediction without it. */
  readonly guidance: number;
}

const CARDS = IMAGE_OUTPAINT_WEIGHTS;

/** Both models took CLIP's tokenizer over. */
const TOKENIZER = {
  vocabulary: IMAGE_MODERATION_WEIGHTS['clip-vocab'],
  merges: IMAGE_MODERATION_WEIGHTS['clip-merges'],
} as const;

/** Models that read the prompt, best first. */
export const TEXT_MODELS: readonly TextModel[] = [
  {
    id: 'sd15-inpaint-fp16',
    name: 'Stable Diffusion 1.5',
    cards: {
      text: CARDS['sd15-inpaint-fp16/text_encoder-model.onnx'],
      encoder: CARDS['sd15-inpaint-fp16/vae_encoder-model.onnx'],
      unet: CARDS['sd15-inpaint-fp16/unet-model.onnx'],
      decoder: CARDS['sd15-inpaint-fp16/vae_decoder-model.onnx'],
      ...TOKENIZER,
    },
    sampler: ddimSampler(25),
    refinesFrom: 15,
    guidance: 7.5,
  },
  {
    id: 'lcm-inpaint',
    name: 'Stable Diffusion in 4 steps',
    cards: {
      text: CARDS['lcm-inpaint/text_encoder.onnx'],
      encoder: CARDS['lcm-inpaint/vae_encoder.onnx'],
      unet: CARDS['lcm-inpaint/unet.onnx'],
      decoder: CARDS['lcm-inpaint/vae_decoder.onnx'],
      ...TOKENIZER,
    },
    sampler: lcmSampler(4),
    refinesFrom: 2,
    guidance: 1,
  },
];

/**
 * Runs a graph of a diffusion model: exports differ in the types of their inputs, not in their names.
 * @param length of the output
 * @throws OperationError `unavailable` when the graph has no such input, or returns another length
 */
export async function runGraph(
  session: Session,
  { feeds, output, length }: { feeds: Readonly<Record<string, GraphInput>>; output: string; length: number },
  signal: AbortSignal,
): Promise<GraphRun> {
  const tensors = Object.entries(feeds).map(([name, feed]) => {
    const port = session.inputs.find((each) => each.name === name);
    if (!port) throw new OperationError('unavailable', `The model has no input ${name}.`);
    return [name, tensorFor(port.type, feed)] as const;
  });
  const { outputs, provider, notices } = await session.run(Object.fromEntries(tensors), signal);
  const found = outputs[output];
  if (found?.data.length !== length) {
    throw new OperationError('unavailable', `The model does not return ${output} of ${length} numbers.`);
  }
  return { values: getFloats(found), provider, notices };
}

function tensorFor(type: TensorType, { dims, values }: GraphInput): Tensor {
  switch (type) {
    case 'float32':
    case 'float16':
      return floatTensor(type, dims, values);
    case 'int32':
      return { type, dims, data: Int32Array.from(values) };
    case 'int64':
      return { type, dims, data: BigInt64Array.from(values, (value) => BigInt(value)) };
    case 'uint8':
      return { type, dims, data: Uint8Array.from(values) };
  }
}
