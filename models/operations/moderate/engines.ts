import type { EngineNeed } from '../../core/operation/engine-needs.ts';
import type { OperationEngine } from '../../core/runtime/fit.ts';
import { CLIP, CLIP_COMPANIONS, SEXUAL_ENGINES } from '../../moderation/engines.ts';

/** Models that a request may name: the one of all categories, then those for Sexual alone, best first. */
export const MODERATION_ENGINES: readonly OperationEngine[] = [CLIP, ...SEXUAL_ENGINES];

/** The same models with all of their files. */
export const MODERATION_ENGINE_LIST: readonly OperationEngine[] = MODERATION_ENGINES.map((engine) =>
  engine === CLIP ? { ...CLIP, companions: CLIP_COMPANIONS } : engine,
);

/** Returns the engines that judge each requested category. A named model for Sexual judges alone. */
export function categoryNeeds(engine: string, categories: readonly string[]): readonly EngineNeed[] {
  const usable = MODERATION_ENGINES.filter(({ id }) => [id, 'auto', CLIP.id].includes(engine)).map(
    ({ id }) => id,
  );
  return categories.map((value) => ({
    field: 'categories',
    value,
    engines: usable.filter((id) => coversCategories(id, [value])),
    code: 'category_unavailable',
  }));
}

/** Reports whether an engine judges all of some categories. */
export function coversCategories(engine: string, categories: readonly string[]): boolean {
  return engine === CLIP.id || categories.every((category) => category === 'Sexual');
}
