import type { ImageSize } from '../../core/runtime/raster.ts';
import type { WeightCard } from '../../core/runtime/weight-card.ts';

/** Factor by which a network enlarges both sides. */
type NetworkScale = 2 | 4;

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
  /** Whether its result is reduced to the size of its input again: it only restores, and another network enlarges. */
  readonly keepsSize?: true;
}

/** Returns the factor between the input and the result of a network's pass. */
export function stepOf({ scale, keepsSize }: UpscaleNetwork): number {
  return keepsSize ? 1 : scale;
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

/** Most pixels of an enlarged image. */
export const OUTPUT_PIXELS_MAX = 100_000_000;
/** Longest side of an enlarged video that decoders of H.264 play. */
export const OUTPUT_SIDE_MAX = 4096;
/** Factors that a request may ask for. */
export const SCALES = [2, 4, 8] as const;
export type Scale = (typeof SCALES)[number];

/** Steps from the input to the result. */
export interface Passes {
  /** Networks in the order in which they run, each on the result of the one before. */
  readonly networks: readonly [UpscaleNetwork, ...UpscaleNetwork[]];
  /** Whole factor by which their result is then reduced. */
  readonly reduction: 1 | 2;
}

/**
 * Plans how an upscaler reaches a factor: by its largest step first, so that the slower network of the others sees
 * few pixels. A network that restores runs before all others: only the input is degraded. Where another one reaches the
 * factor alone, it only restores: that takes less than half of the time, and keeps more of what is there. A factor below
 * the only step is reached by reduction.
 */
export function planPasses({ networks }: Upscaler, scale: Scale): Passes {
  const bySize = networks
    .filter(({ restores }) => !restores)
    .toSorted((one, other) => other.scale - one.scale);
  const nextFor = (left: number) => {
    const next = bySize.find((network) => network.scale <= left) ?? bySize.at(-1);
    if (!next) throw new RangeError('an upscaler without networks');
    return next;
  };
  const restoring = networks.find(({ restores }) => restores);
  const isReached = scale > 2 && bySize.some((network) => network.scale === scale);
  const planned: [UpscaleNetwork, ...UpscaleNetwork[]] = [
    restoring ? { ...restoring, ...(isReached && { keepsSize: true }) } : nextFor(scale),
  ];
  let left = scale / stepOf(planned[0]);
  while (left > 1) {
    const next = nextFor(left);
    planned.push(next);
    left /= next.scale;
  }
  return { networks: planned, reduction: left < 1 ? 2 : 1 };
}

/** Returns the size of a result: that of the factor, or of a smaller width. */
export function outputSize(
  { width, height }: ImageSize,
  {
    scale,
    width: widthMax = Number.POSITIVE_INFINITY,
  }: { readonly scale: Scale; readonly width?: number | undefined },
): ImageSize {
  const reached = Math.min(widthMax, width * scale);
  return { width: reached, height: Math.max(1, Math.round((reached * height) / width)) };
}

/** Returns the pixels of an enlarged image. */
export function enlargedPixels({ width, height }: ImageSize, scale: number): number {
  return width * height * scale ** 2;
}
