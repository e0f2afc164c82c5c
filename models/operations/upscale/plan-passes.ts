import type { UpscaleNetwork, Upscaler } from './networks.ts';

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
 * few pixels. A network that restores runs before all others: only the input is degraded. A factor below the only step
 * is reached by reduction.
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
  const planned: [UpscaleNetwork, ...UpscaleNetwork[]] = [
    networks.find(({ restores }) => restores) ?? nextFor(scale),
  ];
  let left = scale / planned[0].scale;
  while (left > 1) {
    const next = nextFor(left);
    planned.push(next);
    left /= next.scale;
  }
  return { networks: planned, reduction: left < 1 ? 2 : 1 };
}
