import type { OperationEngine } from '../../core/runtime/fit.ts';
import { TEXT_MODELS } from './text-models.ts';
import { IMAGE_OUTPAINT_WEIGHTS } from './weights.ts';

const CARDS = IMAGE_OUTPAINT_WEIGHTS;

/** Engine without weights, the simple fill: it extends an image from itself. */
export const PATCHES_ENGINE = 'darkroom-patches';

/** Networks that paint a guide for the patches, best first. */
export const GUIDE_ENGINES = [
  { id: 'lama-fp32', name: 'LaMa', card: CARDS['lama-fp32'] },
  { id: 'lama-opencv', name: 'LaMa of OpenCV', card: CARDS['lama-opencv'] },
  { id: 'migan-pipeline-v2', name: 'MI-GAN', card: CARDS['migan-pipeline-v2'] },
] as const satisfies readonly OperationEngine[];

export type GuideEngineId = (typeof GUIDE_ENGINES)[number]['id'];

/** Engines that a request may name, best first. */
export const OUTPAINT_ENGINES: readonly OperationEngine[] = [
  ...TEXT_MODELS.map(({ id, name, cards }): OperationEngine => {
    const { unet, ...companions } = cards;
    return { id, name, card: unet, companions: Object.values(companions), isOptIn: true };
  }),
  ...GUIDE_ENGINES,
  { id: PATCHES_ENGINE, name: 'Simple fill', card: null },
];

/** Reports whether an engine reads the prompt. */
export function acceptsPrompt(engine: string): boolean {
  return TEXT_MODELS.some(({ id }) => id === engine);
}
