export { type ChildPool, createChildPool } from './child/child-pool.ts';
export type { ChildOptions, LentWeights, RunEnd, RunOptions } from './child/child-process.ts';
export type { Done, RunRequest, StageTime, TestRun } from './child/protocol.ts';
export { createModelMemory, type LargestModelBytes } from './model-memory.ts';
export { decideRun, needsModelServer, type RunDecision } from './run-decision.ts';
