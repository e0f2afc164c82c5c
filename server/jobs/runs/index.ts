export { type ChildPool, createChildPool } from './child-pool.ts';
export type { ChildOptions, LentWeights, RunEnd, RunOptions } from './child-process.ts';
export { createModelMemory, type LargestModelBytes } from './model-memory.ts';
export type { Done, RunRequest, StageTime, TestRun } from './protocol.ts';
export { decideRun, needsModelServer, type RunDecision } from './run-decision.ts';
