import type { OperationEngine } from '../core/runtime/fit.ts';
import type { WeightCard } from '../core/runtime/weight-card.ts';
import { IMAGE_MODERATION_WEIGHTS } from './weights.ts';

const CARDS = IMAGE_MODERATION_WEIGHTS;

/** CLIP, which judges every category. Its image encoder names it: it is the last of its files to arrive. */
export const CLIP: OperationEngine = {
  id: CARDS['clip-vit-b32-vision-uint8'].id,
  name: 'CLIP',
  card: CARDS['clip-vit-b32-vision-uint8'],
};

/** Further file of CLIP: its text encoder. The tokens of its texts are in the code. */
export const CLIP_COMPANIONS: readonly WeightCard[] = [CARDS['clip-vit-b32-text-q4']];

/** Networks that judge the category Sexual alone, best first. */
export const SEXUAL_ENGINES = [
  { id: 'nsfw-vit-int8', name: 'NSFW ViT', card: CARDS['nsfw-vit-int8'] },
  { id: 'nsfw-mobilenet', name: 'NSFWJS MobileNet', card: CARDS['nsfw-mobilenet'] },
] as const satisfies readonly OperationEngine[];

export type SexualEngineId = (typeof SEXUAL_ENGINES)[number]['id'];
