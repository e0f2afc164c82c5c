import { LANES } from '../../../models/core/operation/job.ts';

/**
 * Lanes of runs, of results on their way to the client's bucket, of webhook deliveries, and of runs that accounts leave
 * to machines of their own: no runner takes any of the last.
 */
export const QUEUE_LANES = [...LANES, 'output', 'delivery', 'own'] as const;

export type QueueLane = (typeof QUEUE_LANES)[number];

/** Entry of the queue: a job or a delivery. */
export interface QueueEntry {
  /** The id of the job or delivery. */
  readonly id: string;
  readonly lane: QueueLane;
  readonly accountId: string;
}

/** Bounds on the entries of a lane that all runners together work on at once. */
export interface LaneLimits {
  /** Limit for one account. */
  readonly accountMax: number;
  /** Limit for one receiving host. */
  readonly hostMax: number;
}

/** Channel on which new entries are announced, by their lane. */
export const QUEUE_CHANNEL = 'queue_entries';
