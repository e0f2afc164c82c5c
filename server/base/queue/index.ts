export { claimEntry, removeEndedEntry, takingJobEntry } from './claim-entry.ts';
export {
  awaitOwnEntry,
  endLease,
  hasOwnWorker,
  LEASE_SECONDS,
  type LeaseQuery,
  leaseEntry,
  noteOwnWorker,
  renewLease,
  WORKERS,
} from './lease-entry.ts';
export { awaitLook, listDueEntries } from './next-entries.ts';
export {
  enqueue,
  getRemoveEntries,
  type LaneLimits,
  moveEntry,
  type QueueEntry,
  type QueueLane,
  queueing,
  releaseAbandonedEntries,
  releaseAllEntries,
  releaseEntry,
  releaseLapsedEntries,
  removeEntry,
  removing,
  waking,
} from './queue-entry.ts';
export {
  countRunners,
  isEntryTaken,
  isEntryUnleased,
  isInLane,
  readLaneDepths,
  readQueueDepth,
  selectWorkedSeconds,
  watchQueue,
} from './read-queue.ts';
