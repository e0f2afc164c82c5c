export { startModelUpkeep } from './acceptance/keep-models.ts';
export { decideRun, type RunDecision } from './attempt/run-decision.ts';
export { createChildPool } from './child/child-pool.ts';
export type { Done } from './child/protocol.ts';
export { laneSlots } from './lanes/lanes.ts';
export { createModelMemory } from './lanes/model-memory.ts';
export { startRunner } from './runner.ts';
