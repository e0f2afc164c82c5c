import type { WeightCard } from '../../core/runtime/weight-card.ts';

/** Factor by which a network enlarges both sides. */
export type NetworkScale = 2 | 4;

/**
 * Input and output contract of an enlarging network. It has one input and one output: red, green and blue in sRGB,
 * 0 to 1, NCHW.
 */
export interface UpscaleNetwork {
  readonly card: WeightCard;
  readonly scale: NetworkScale;
  /** Context that a tile needs on each side, in input pixels: as far as the network sees. */
  readonly margin: number;
  /** Divisor of both sides of an input, and of where a tile begins. It divides margin and side of a tile, too. */
  readonly multipleOf: number;
  /** Side of a tile without its margin, in input pixels. */
  readonly tileSide: number;
  /** Multiply-adds for each pixel of an input. */
  readonly multiplyAdds: number;
  /** Whether it also undoes compression and noise: then it runs once, before all others. */
  readonly restores?: true;
}

/** Networks that a request can name together: one for each factor, or one of them. */
export interface Upscaler {
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** Sentences for people about its results. */
  readonly summary: string;
  readonly networks: readonly UpscaleNetwork[];
}
