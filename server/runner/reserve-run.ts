import { findModel } from '../../models/batch.ts';
import type { Lane } from '../../models/lane.ts';
import { getRun } from '../jobs/index.ts';
import { type ChosenLimits, chooseLimits } from './choose-limits.ts';
import type { Room, Wish } from './dispatcher.ts';
import type { Reservation } from './job-attempt.ts';
import type { RunnerDeps } from './run-in-child.ts';

/** Room for an attempt at a job. */
export interface RunRoom extends Room {
  /** Absent where the job cannot run: the attempt finds out why. */
  readonly reserved?: Reservation;
}

/**
 * Waits until a slot of the lane and the memory that the job's run declares are free.
 * @throws once the wish's signal aborts, and when the database cannot be reached
 */
export async function reserveRun(deps: RunnerDeps, jobId: string, lane: Lane, wish: Wish): Promise<RunRoom> {
  const chosen = await limitsOf(deps, jobId, lane);
  if (!chosen) return { release() {} };
  const release = await deps.lanes.reserve(lane, chosen.limits.memoryBytesMax, wish);
  return { release, reserved: { ...chosen, lane } };
}

async function limitsOf(deps: RunnerDeps, jobId: string, lane: Lane): Promise<ChosenLimits | undefined> {
  const run = await getRun(deps.ctx.db, jobId);
  const model = run && findModel(deps.operations, run.operationId);
  if (!model || model.isBatch) return undefined;
  return await chooseLimits(deps, { ...run, lane, operation: model.operation }).catch(() => undefined);
}
