import type { OperationEngine } from '../device-fit.ts';
import { IMAGE_OUTPAINT_WEIGHTS } from '../weights/image-outpaint.ts';

const CARDS = IMAGE_OUTPAINT_WEIGHTS;

/** Engine that has no weights: it extends an image from itself. */
export const PATCHES_ENGINE = 'darkroom-patches';

/** Engines that a request may name, best first. */
export const OUTPAINT_ENGINES: readonly OperationEngine[] = [
  { id: CARDS['lama-fp32'].id, name: 'LaMa', card: CARDS['lama-fp32'] },
  { id: CARDS['lama-opencv'].id, name: 'LaMa of OpenCV', card: CARDS['lama-opencv'] },
  { id: CARDS['migan-pipeline-v2'].id, name: 'MI-GAN', card: CARDS['migan-pipeline-v2'] },
  { id: PATCHES_ENGINE, name: 'Darkroom', card: null },
];
