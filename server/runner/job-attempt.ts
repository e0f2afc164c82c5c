import type { Lane } from '../../models/lane.ts';
import type { Operation } from '../../models/operation.ts';
import type { Claim, JobResult } from '../jobs/index.ts';
import type { ChosenLimits } from './choose-limits.ts';
import type { Verdict } from './verdict.ts';

/** One attempt at a job. */
export interface JobAttempt {
  readonly claim: Claim;
  readonly operation: Operation;
  /** Folder of this attempt alone. */
  readonly directory: string;
  readonly onProgress: (fraction: number) => void;
  /** Slot and memory that are reserved for its run; absent for a batch, whose items reserve their own. */
  readonly reserved?: Reservation;
}

/** Slot and memory of a lane. */
export interface Reservation extends ChosenLimits {
  readonly lane: Lane;
}

/** Outcome of an attempt: a result whose files are in storage, or the verdict on a failed run. */
export type AttemptOutcome =
  | { readonly next: 'complete'; readonly result: JobResult }
  | Exclude<Verdict, { next: 'complete' }>;

/** Returns the public message of a fault on our side, from its reason with or without a full stop. */
export function withoutCharge(reason: string): string {
  return `${reason.replace(/\.$/, '')}. Nothing was charged; try again later.`;
}
