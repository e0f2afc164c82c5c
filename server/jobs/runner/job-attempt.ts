import type { Operation } from '../../../models/core/operation/define-operation.ts';
import type { Lane } from '../../../models/core/operation/job.ts';
import type { ReportProgress } from '../../../models/core/runtime/progress.ts';
import type { Claim, JobResult } from '../index.ts';
import type { RunDecision } from '../runs/index.ts';
import type { ChosenLimits } from './choose-limits.ts';

/** One attempt at a job. */
export interface JobAttempt {
  readonly claim: Claim;
  readonly operation: Operation;
  /** Folder of this attempt alone. */
  readonly directory: string;
  readonly onProgress: ReportProgress;
  /** Slot and memory that are reserved for its run; absent for a batch, whose items reserve their own. */
  readonly reserved?: LaneReservation;
}

/** Slot and memory of a lane. */
export interface LaneReservation extends ChosenLimits {
  readonly lane: Lane;
}

/** Outcome of an attempt: a result whose files are in storage, or the verdict on a failed run. */
export type AttemptOutcome =
  | { readonly next: 'complete'; readonly result: JobResult }
  | Exclude<RunDecision, { next: 'complete' }>;

/** Returns the public message of a fault on our side, from its reason with or without a full stop. */
export function describeServerFailure(reason: string): string {
  return `${reason.replace(/\.$/, '')}. Nothing was charged; try again later.`;
}
