import type { WeightCard } from '../../core/runtime/weight-card.ts';
import { IMAGE_MODERATION_WEIGHTS } from '../../moderation/weights.ts';
import { ddimSampler, lcmSampler, type Sampler } from './samplers.ts';
import { IMAGE_OUTPAINT_WEIGHTS } from './weights.ts';

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
