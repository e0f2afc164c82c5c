export { startModelUpkeep } from './keep-models.ts';
export { laneSlots } from './lanes.ts';
export { startRunner } from './runner.ts';
