export { type LaneDepth, queueDepth } from './depth.ts';
export { enqueue } from './enqueue.ts';
export type { LaneBounds, QueueEntry, QueueLane } from './entry.ts';
export { nextEntries } from './next-entries.ts';
export { putBack, putBackAll } from './put-back.ts';
export { removeEntry } from './remove.ts';
export { takeEntry } from './take.ts';
export { watchQueue } from './watch.ts';
