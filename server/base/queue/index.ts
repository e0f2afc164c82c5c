export { claimEntry } from './claim-entry.ts';
export { enqueue } from './enqueue.ts';
export { endLease, LEASE_SECONDS, leaseEntry, renewLease } from './lease-entry.ts';
export { moveEntry } from './move-entry.ts';
export { listDueEntries } from './next-entries.ts';
export { hasOwnWorker, noteOwnWorker } from './own-turns.ts';
export { readLaneDepths, readQueueDepth } from './queue-depth.ts';
export type { LaneLimits, QueueEntry, QueueLane } from './queue-entry.ts';
export {
  releaseAbandonedEntries,
  releaseAllEntries,
  releaseEntry,
  releaseLapsedEntries,
} from './release-entry.ts';
export { removeEntry } from './remove-entry.ts';
export { watchQueue } from './watch-queue.ts';
