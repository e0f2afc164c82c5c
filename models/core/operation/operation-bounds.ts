import type { z } from 'zod';
import type { Lane } from './lane.ts';
import { parseParams, pickKnownParams } from './params.ts';
import type { OperationLimits, RunLimits } from './run-result.ts';

/** Part of an operation's definition that bounds its jobs. */
export interface BoundsDefinition<Params extends z.ZodObject, Facts> {
  readonly params: Params;
  readonly limits: OperationLimits;
  /** Lane of a job on an input. Its batches always take the lane `batch`. */
  readonly lane: Lane | ((facts: Facts, params: z.output<Params>) => Lane);
  /**
   * Returns bounds of a run on an input that replace those of `limits`; memory never exceeds the latter.
   * @param modelBytesMax memory of the largest model that is available where the run takes place
   */
  limitsFor?(facts: Facts, params: z.output<Params>, modelBytesMax: number): Partial<RunLimits>;
}

/** Lane and limits of a job, by stored facts and params. Neither throws. */
interface Bounds {
  laneFor(facts: object, params: unknown): Lane;
  limitsFor(facts: object, params: unknown, modelBytesMax?: number): OperationLimits;
}

/** Returns an operation's lane and limits by stored facts and params, which may be those of an older version. */
export function getBounds<Params extends z.ZodObject, Facts extends object>(
  definition: BoundsDefinition<Params, Facts>,
): Bounds {
  const { lane, limits, limitsFor } = definition;
  /** Returns the value computed from stored params; undefined when those of an older version do not suffice. */
  const ofStored = <Value>(
    params: unknown,
    compute: (params: z.output<Params>) => Value,
  ): Value | undefined => {
    try {
      return compute(parseParams(definition.params, pickKnownParams(definition, params)));
    } catch {
      return undefined;
    }
  };
  return {
    laneFor(facts, params) {
      if (typeof lane !== 'function') return lane;
      return ofStored(params, (known) => lane(facts as Facts, known)) ?? 'long';
    },
    limitsFor(facts, params, modelBytesMax = Number.POSITIVE_INFINITY) {
      const own = ofStored(params, (known) => limitsFor?.(facts as Facts, known, modelBytesMax));
      const runSecondsMax = boundOr(limits.runSecondsMax, own?.runSecondsMax);
      const memoryBytesMax = boundOr(limits.memoryBytesMax, own?.memoryBytesMax);
      return { ...limits, runSecondsMax, memoryBytesMax: Math.min(limits.memoryBytesMax, memoryBytesMax) };
    },
  };
}

/** Returns the bound, or `fallback` where facts of an older version give no positive number. */
function boundOr(fallback: number, bound: unknown): number {
  return typeof bound === 'number' && Number.isFinite(bound) && bound > 0 ? bound : fallback;
}
