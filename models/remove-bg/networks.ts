import { REMOVE_BG_WEIGHTS } from '../weights/remove-bg.ts';
import type { WeightCard } from '../weights/weight-card.ts';

type Colour = readonly [red: number, green: number, blue: number];

/** How a network wants its picture and gives its matte. It has one input; of several outputs the first is the matte. */
export interface MatteNetwork {
  readonly card: WeightCard;
  /** What it finds. */
  readonly finds: 'any subject' | 'people';
  readonly layout: 'nchw' | 'nhwc';
  /** The picture is stretched to a square of this side, or keeps its shape with about this longer side. */
  readonly side: number;
  /** null: stretched to a square; else both sides are multiples of this. */
  readonly multipleOf: number | null;
  /** What colours (0 to 1) are divided by first: nothing, or the largest value in the picture. */
  readonly scale: 'unit' | 'picture-maximum';
  readonly mean: Colour;
  readonly deviation: Colour;
  /** How its output becomes opacity: as it is, by the logistic function, or from its least to its largest value. */
  readonly output: 'opacity' | 'logit' | 'min-max';
  /** Whether it is so quick, and sees so few pixels, that it looks again: at the subjects alone, and mirrored. */
  readonly looksAgain?: true;
}

const IMAGENET_MEAN: Colour = [0.485, 0.456, 0.406];
const IMAGENET_DEVIATION: Colour = [0.229, 0.224, 0.225];
const NONE: Colour = [0, 0, 0];
const ONE: Colour = [1, 1, 1];
const HALF: Colour = [0.5, 0.5, 0.5];

/** Best first; those that only find people stand last, since nobody says what is in a picture. */
export const MATTE_NETWORKS: readonly MatteNetwork[] = [
  {
    card: REMOVE_BG_WEIGHTS['birefnet-lite-fp16'],
    finds: 'any subject',
    layout: 'nchw',
    side: 1024,
    multipleOf: null,
    scale: 'unit',
    mean: IMAGENET_MEAN,
    deviation: IMAGENET_DEVIATION,
    // Min-max, which others use here, makes noise of an empty picture.
    output: 'logit',
  },
  {
    card: REMOVE_BG_WEIGHTS['isnet-general-use'],
    finds: 'any subject',
    layout: 'nchw',
    side: 1024,
    multipleOf: null,
    scale: 'picture-maximum',
    mean: HALF,
    deviation: ONE,
    output: 'min-max',
  },
  {
    card: REMOVE_BG_WEIGHTS.u2netp,
    finds: 'any subject',
    layout: 'nchw',
    side: 320,
    multipleOf: null,
    scale: 'picture-maximum',
    mean: IMAGENET_MEAN,
    deviation: IMAGENET_DEVIATION,
    output: 'min-max',
  },
  {
    card: REMOVE_BG_WEIGHTS.matte,
    finds: 'any subject',
    layout: 'nchw',
    side: 320,
    multipleOf: null,
    scale: 'unit',
    mean: NONE,
    deviation: ONE,
    output: 'opacity',
    looksAgain: true,
  },
  {
    card: REMOVE_BG_WEIGHTS['modnet-fp16'],
    finds: 'people',
    layout: 'nchw',
    side: 512,
    multipleOf: 32,
    scale: 'unit',
    mean: HALF,
    deviation: HALF,
    output: 'opacity',
  },
  {
    card: REMOVE_BG_WEIGHTS['selfie-segmentation'],
    finds: 'people',
    layout: 'nhwc',
    side: 256,
    multipleOf: null,
    scale: 'unit',
    mean: NONE,
    deviation: ONE,
    output: 'opacity',
  },
];
