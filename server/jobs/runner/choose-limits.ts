import type { Operation } from '../../../models/core/operation/define-operation.ts';
import type { Lane } from '../../../models/core/operation/job.ts';
import { pickKnownParams } from '../../../models/core/operation/params.ts';
import type { OperationLimits } from '../../../models/core/operation/run-result.ts';
import { requestedEngine } from '../../../models/core/runtime/fit.ts';
import type { Env } from '../../base/env.ts';
import type { LargestModelBytes } from '../runs/index.ts';
import type { Lanes } from './lanes.ts';

/** Limits of a run on this machine. */
export interface ChosenLimits {
  readonly limits: OperationLimits;
  /** Memory of the largest model that it may load; unlimited when absent. */
  readonly modelBytesMax?: number;
}

/**
 * Chooses the limits of a run. A long run that would leave too little memory for an image uses a smaller model, where
 * there is one with which it leaves enough, and the request names none that is larger.
 */
export async function chooseLimits(
  {
    ctx: { env },
    lanes,
    largestModelBytes,
  }: {
    readonly ctx: { readonly env: Pick<Env, 'PROCESSOR_LIMIT_FACTOR'> };
    readonly lanes: Pick<Lanes, 'longBytesMax'>;
    readonly largestModelBytes: LargestModelBytes;
  },
  run: {
    readonly operation: Operation;
    readonly lane: Lane;
    readonly facts: object;
    readonly params: unknown;
  },
): Promise<ChosenLimits> {
  const { operation, lane, facts } = run;
  // An older version may have accepted the job.
  const params = pickKnownParams(operation, run.params);
  const largest = await largestModelBytes(operation.id);
  const limitsFor = (modelBytes: number): OperationLimits => {
    const { processorSecondsMax, ...limits } = operation.limitsFor(facts, params, modelBytes);
    if (processorSecondsMax === undefined) return limits;
    return { ...limits, processorSecondsMax: processorSecondsMax * env.PROCESSOR_LIMIT_FACTOR };
  };
  const limits = limitsFor(largest);
  const excess = limits.memoryBytesMax - lanes.longBytesMax;
  if (lane !== 'long' || excess <= 0) return { limits };
  const modelBytesMax = await largestModelBytes(operation.id, largest - excess);
  const named = operation.engines?.find(({ id }) => id === requestedEngine(params));
  const namedBytes = named ? await largestModelBytes(operation.id, Number.POSITIVE_INFINITY, named.id) : 0;
  if (modelBytesMax === 0 || modelBytesMax < namedBytes) return { limits };
  const smaller = limitsFor(modelBytesMax);
  return smaller.memoryBytesMax <= lanes.longBytesMax ? { limits: smaller, modelBytesMax } : { limits };
}
