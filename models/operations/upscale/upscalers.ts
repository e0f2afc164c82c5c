import type { OperationEngine } from '../../core/runtime/fit.ts';
import type { Upscaler } from './plan-passes.ts';
import type { UpscaledInput } from './upscaled-input.ts';
import { UPSCALE_WEIGHTS } from './weights.ts';

/** 14 convolutions of 3 x 3, one after the other. */
const FINE = { margin: 14, multipleOf: 1 } as const;
const FINE_X2 = {
  ...FINE,
  card: UPSCALE_WEIGHTS['upscale-x2'],
  scale: 2,
  tileSide: 256,
  multiplyAdds: 256_000,
} as const;
const FINE_X4 = {
  ...FINE,
  card: UPSCALE_WEIGHTS['upscale-x4'],
  scale: 4,
  tileSide: 192,
  multiplyAdds: 273_000,
} as const;
const RESTORE_X2 = {
  ...FINE,
  card: UPSCALE_WEIGHTS['upscale-restore-x2'],
  scale: 2,
  tileSide: 256,
  multiplyAdds: 256_000,
  restores: true,
} as const;

/** Upscalers by the ids that requests name. */
export const UPSCALERS: readonly Upscaler[] = [
  {
    id: 'darkroom',
    name: 'Darkroom',
    summary: 'Sharp edges, no invented texture.',
    networks: [FINE_X2, FINE_X4],
  },
  {
    id: 'darkroom-restore',
    name: 'Darkroom restore',
    summary: 'Removes traces of compression and noise. No invented texture.',
    networks: [RESTORE_X2, FINE_X2, FINE_X4],
  },
  {
    id: 'darkroom-fast',
    name: 'Darkroom fast',
    summary: 'Several times as fast, with slightly softer edges.',
    networks: [
      {
        card: UPSCALE_WEIGHTS['upscale-fast-x2'],
        scale: 2,
        // A convolution of 6 x 6 in steps of 2, then five of 3 x 3 at half the size.
        margin: 14,
        multipleOf: 2,
        tileSide: 512,
        multiplyAdds: 11_000,
      },
    ],
  },
  {
    id: 'realesr-general-x4v3',
    name: 'Real-ESRGAN general',
    summary: 'Repairs compressed and noisy photos. It invents fine texture.',
    networks: [
      {
        card: UPSCALE_WEIGHTS['realesr-general-x4v3'],
        scale: 4,
        // 34 convolutions of 3 x 3.
        margin: 34,
        multipleOf: 1,
        tileSide: 192,
        multiplyAdds: 1_210_000,
      },
    ],
  },
  {
    id: 'realesrgan-x4plus',
    name: 'Real-ESRGAN ×4+',
    summary: 'Repairs more, and is far slower. It invents fine texture.',
    networks: [
      {
        card: UPSCALE_WEIGHTS['realesrgan-x4plus'],
        scale: 4,
        // It sees farther, but hardly anything beyond: the publisher's own tiles overlap by 10.
        margin: 32,
        multipleOf: 1,
        tileSide: 128,
        // 16.7 million at the size of the input, and the last convolutions at two and four times that size.
        multiplyAdds: 18_000_000,
      },
    ],
  },
  {
    id: 'swin2sr-lightweight-x2',
    name: 'Swin2SR light',
    summary: 'Sharp on clean images, and slow.',
    networks: [
      {
        card: UPSCALE_WEIGHTS['swin2sr-lightweight-x2'],
        scale: 2,
        margin: 32,
        // Windows of 8 x 8.
        multipleOf: 8,
        tileSide: 64,
        // SwinIR, which it is made of, needs 196 billion operations for 640 x 360 pixels (Liang et al., 2021, table 2).
        multiplyAdds: 850_000,
      },
    ],
  },
];

/** Id that requests name for the best upscaler that is available: the default. */
export const BEST_UPSCALER = 'crystal-upscaler';
export const UPSCALER_IDS: readonly string[] = [BEST_UPSCALER, ...UPSCALERS.map(({ id }) => id)];

/** Upscalers for requests that name none, best first. */
const AUTO_ORDER: Readonly<Record<UpscaledInput, readonly string[]>> = {
  image: ['darkroom', 'darkroom-fast'],
  drawing: ['darkroom', 'darkroom-fast'],
  'degraded image': ['darkroom-restore', 'darkroom', 'darkroom-fast'],
  video: ['darkroom-fast', 'darkroom'],
};

/** Returns the upscalers that may serve a request, best first. */
export function upscalersFor(model: string, input: UpscaledInput): readonly Upscaler[] {
  const ids = model === BEST_UPSCALER ? AUTO_ORDER[input] : [model];
  return ids.flatMap((id) => UPSCALERS.filter((each) => each.id === id));
}

/** The upscalers as engines, with all of their files. */
export const UPSCALE_ENGINE_LIST: readonly OperationEngine[] = UPSCALERS.map(({ id, name, networks }) => {
  const [card = null, ...companions] = networks.map((network) => network.card);
  return { id, name, card, companions };
});
