import { findModel } from '../../../../models/core/operation/batch.ts';
import type { Lane } from '../../../../models/core/operation/lane.ts';
import { operationFor } from '../../../../models/test-mode/operation-for.ts';
import { findRunDescription } from '../../index.ts';
import type { Reservation, RoomRequest } from '../dispatch/dispatcher.ts';
import { type ChosenLimits, chooseLimits } from '../lanes/choose-limits.ts';
import type { LaneReservation } from './job-attempt.ts';
import type { RunnerDeps } from './run-in-child.ts';

/** Room for an attempt at a job. */
export interface RunReservation extends Reservation {
  /** Absent where the job cannot run: the attempt finds out why. */
  readonly reserved?: LaneReservation;
}

/**
 * Waits until a slot of the lane and the memory that the job's run declares are free.
 * @throws once the request's signal aborts, and when the database cannot be reached
 */
export async function reserveRun(
  deps: RunnerDeps,
  jobId: string,
  lane: Lane,
  request: RoomRequest,
): Promise<RunReservation> {
  const chosen = await chooseRunLimits(deps, jobId, lane);
  if (!chosen) return { release() {} };
  const release = await deps.lanes.reserve(lane, chosen.limits.memoryBytesMax, request);
  return { release, reserved: { ...chosen, lane } };
}

async function chooseRunLimits(
  deps: RunnerDeps,
  jobId: string,
  lane: Lane,
): Promise<ChosenLimits | undefined> {
  const run = await findRunDescription(deps.ctx.db, jobId);
  const model = run && findModel(deps.operations, run.operationId);
  if (!model || model.isBatch) return undefined;
  const operation = operationFor(run, model.operation);
  return await chooseLimits(deps, { ...run, lane, operation }).catch(() => undefined);
}
