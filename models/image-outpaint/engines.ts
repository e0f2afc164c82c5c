import type { OperationEngine } from '../device/fit.ts';
import { IMAGE_OUTPAINT_WEIGHTS } from '../weights/image-outpaint.ts';
import { TEXT_MODELS } from './diffusion/text-models.ts';

const CARDS = IMAGE_OUTPAINT_WEIGHTS;

/** Engine that has no weights: it extends an image from itself. */
export const PATCHES_ENGINE = 'darkroom-patches';

/** Engines that a request may name, best first. */
export const OUTPAINT_ENGINES: readonly OperationEngine[] = [
  ...TEXT_MODELS.map(({ id, name, cards }): OperationEngine => {
    const { unet, ...beside } = cards;
    return { id, name, card: unet, companions: Object.values(beside), isOptIn: true };
  }),
  { id: CARDS['lama-fp32'].id, name: 'LaMa', card: CARDS['lama-fp32'] },
  { id: CARDS['lama-opencv'].id, name: 'LaMa of OpenCV', card: CARDS['lama-opencv'] },
  { id: CARDS['migan-pipeline-v2'].id, name: 'MI-GAN', card: CARDS['migan-pipeline-v2'] },
  { id: PATCHES_ENGINE, name: 'Darkroom', card: null },
];

/** Reports whether an engine reads the prompt. */
export function acceptsPrompt(engine: string): boolean {
  return TEXT_MODELS.some(({ id }) => id === engine);
}
