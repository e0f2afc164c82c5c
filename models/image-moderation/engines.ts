import type { OperationEngine } from '../device/fit.ts';
import { CLIP, SEXUAL_ENGINES } from '../moderation/engines.ts';

/** Models that a request may name: the one of all categories, then those for Sexual alone, best first. */
export const MODERATION_ENGINES: readonly OperationEngine[] = [CLIP, ...SEXUAL_ENGINES];

/** Reports whether an engine judges all of some categories. */
export function coversCategories(engine: string, categories: readonly string[]): boolean {
  return engine === CLIP.id || categories.every((category) => category === 'Sexual');
}
