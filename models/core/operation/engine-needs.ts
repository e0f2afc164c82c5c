import type { OperationEngine } from '../runtime/fit.ts';

/** Part of a request that only some engines can do. */
export interface EngineNeed {
  /** Param that asks for it. */
  readonly field: string;
  /** Its value, or one of its values. */
  readonly value: string;
  /** Ids of the engines that can do it. */
  readonly engines: readonly string[];
  /** Code of the error where no engine of an installation can. */
  readonly code: 'engine_unavailable' | 'category_unavailable';
}

/** Params that name an engine. */
const ENGINE_PARAMS = ['engine', 'model'];

/** Returns the need of a request that names an engine; none for one that leaves the choice to the service. */
export function findNamedEngine(
  engines: readonly OperationEngine[],
  params: Readonly<Record<string, unknown>>,
): readonly EngineNeed[] {
  const field = ENGINE_PARAMS.find((name) => engines.some(({ id }) => id === params[name]));
  if (field === undefined) return [];
  const value = String(params[field]);
  return [{ field, value, engines: [value], code: 'engine_unavailable' }];
}
