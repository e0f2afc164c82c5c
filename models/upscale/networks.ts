import type { WeightCard } from '../weights/weight-card.ts';

/** Factor by which a network enlarges both sides. */
export type NetworkScale = 2 | 4;

/** Input and output contract of an enlarging network. It has one input and one output, both NCHW, 0 to 1. */
export interface UpscaleNetwork {
  readonly card: WeightCard;
  readonly scale: NetworkScale;
  /**
   * Channels of input and output: red, green and blue in sRGB; or lightness alone (BT.601, full range), with the
   * colours of a cubic enlargement.
   */
  readonly channels: 'rgb' | 'luma';
  /** Context that a tile needs on each side, in input pixels: as far as the network sees. */
  readonly margin: number;
  /** Both sides of an input are multiples of this. */
  readonly multipleOf: number;
  /** Side of a tile without its margin, in input pixels. */
  readonly tileSide: number;
}

/** Networks that a request can name together: one for each factor, or one of them. */
export interface Upscaler {
  readonly id: string;
  readonly networks: readonly UpscaleNetwork[];
  /** Whether a request that names no model may use it. */
  readonly isDefault: boolean;
}
