import type { OperationEngine } from '../device/fit.ts';
import { IMAGE_MODERATION_WEIGHTS } from '../weights/image-moderation.ts';

const CARDS = IMAGE_MODERATION_WEIGHTS;

/** CLIP's image encoder names it: it is the last of its files to arrive. */
const CLIP = CARDS['clip-vit-b32-vision-uint8'];

/** Models that a request may name: the one of all categories, then those for Sexual alone, best first. */
export const MODERATION_ENGINES: readonly OperationEngine[] = [
  { id: CLIP.id, name: 'CLIP', card: CLIP },
  { id: CARDS['nsfw-vit-int8'].id, name: 'NSFW ViT', card: CARDS['nsfw-vit-int8'] },
  { id: CARDS['nsfw-mobilenet'].id, name: 'NSFWJS MobileNet', card: CARDS['nsfw-mobilenet'] },
];

/** Reports whether an engine judges all of some categories. */
export function coversCategories(engine: string, categories: readonly string[]): boolean {
  return engine === CLIP.id || categories.every((category) => category === 'Sexual');
}
