import type { WeightCard } from '../core/runtime/weight-card.ts';
import type { ImageLayout, PerChannel } from '../kernels/raster/image-tensor.ts';
import { REMOVE_BG_WEIGHTS } from './weights.ts';

/** Input and output contract of a matting model. It has one input; of several outputs the first is the matte. */
export interface MatteModel {
  readonly card: WeightCard;
  /** Name for people. */
  readonly name: string;
  /** Subjects that it finds. */
  readonly finds: 'any subject' | 'people';
  /** `nchw` when absent. */
  readonly layout?: ImageLayout;
  /** Side of the square input, or the approximate longer side of an input that keeps its shape. */
  readonly side: number;
  /** Number that both sides are multiples of; stretched to a square when absent. */
  readonly multipleOf?: number;
  /** Divisor of colours, 0 to 1: the image's largest value; none when absent. */
  readonly scale?: 'picture-maximum';
  readonly mean: PerChannel;
  readonly deviation: PerChannel;
  /**
   * Meaning of the output: alpha itself, or its logit. A range is never stretched: that invents a subject in any sky.
   */
  readonly output: 'opacity' | 'logit';
  /** Whether the model is so fast and small that it looks again: at the subjects alone, and mirrored. */
  readonly looksAgain?: true;
}

const IMAGENET_MEAN: PerChannel = [0.485, 0.456, 0.406];
const IMAGENET_DEVIATION: PerChannel = [0.229, 0.224, 0.225];
const NONE: PerChannel = [0, 0, 0];
const ONE: PerChannel = [1, 1, 1];
const HALF: PerChannel = [0.5, 0.5, 0.5];

/** Best first; people-only models come last, since the content of an image is unknown. */
export const MATTE_MODELS: readonly MatteModel[] = [
  {
    card: REMOVE_BG_WEIGHTS['birefnet-lite-fp16'],
    name: 'BiRefNet lite',
    finds: 'any subject',
    side: 1024,
    mean: IMAGENET_MEAN,
    deviation: IMAGENET_DEVIATION,
    output: 'logit',
  },
  {
    card: REMOVE_BG_WEIGHTS['isnet-general-use'],
    name: 'ISNet',
    finds: 'any subject',
    side: 1024,
    scale: 'picture-maximum',
    mean: HALF,
    deviation: ONE,
    output: 'opacity',
  },
  {
    card: REMOVE_BG_WEIGHTS.u2netp,
    name: 'U²-Net small',
    finds: 'any subject',
    side: 320,
    scale: 'picture-maximum',
    mean: IMAGENET_MEAN,
    deviation: IMAGENET_DEVIATION,
    output: 'opacity',
  },
  {
    card: REMOVE_BG_WEIGHTS.matte,
    name: 'Darkroom',
    finds: 'any subject',
    side: 320,
    mean: NONE,
    deviation: ONE,
    output: 'opacity',
    looksAgain: true,
  },
  {
    card: REMOVE_BG_WEIGHTS['modnet-fp16'],
    name: 'MODNet',
    finds: 'people',
    side: 512,
    multipleOf: 32,
    mean: HALF,
    deviation: HALF,
    output: 'opacity',
  },
  {
    card: REMOVE_BG_WEIGHTS['selfie-segmentation'],
    name: 'MediaPipe selfie',
    finds: 'people',
    layout: 'nhwc',
    side: 256,
    mean: NONE,
    deviation: ONE,
    output: 'opacity',
  },
];
