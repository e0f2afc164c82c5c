export { claimEntry, claimJobEntry } from './claim-entry.ts';
export { enqueue } from './enqueue.ts';
export { isEntryTaken, isEntryUnleased, isInLane, selectWorkedSeconds } from './entry-expressions.ts';
export { endLease, LEASE_SECONDS, type LeaseQuery, leaseEntry, renewLease } from './lease-entry.ts';
export { moveEntry } from './move-entry.ts';
export { listDueEntries } from './next-entries.ts';
export { hasOwnWorker, noteOwnWorker } from './own-turns.ts';
export { countRunners, readLaneDepths, readQueueDepth } from './queue-depth.ts';
export type { LaneLimits, QueueEntry, QueueLane } from './queue-entry.ts';
export {
  releaseAbandonedEntries,
  releaseAllEntries,
  releaseEntry,
  releaseLapsedEntries,
} from './release-entry.ts';
export { removeEntriesOf, removeEntry } from './remove-entry.ts';
export { watchQueue } from './watch-queue.ts';
