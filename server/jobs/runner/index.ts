export { startModelUpkeep } from './acceptance/keep-models.ts';
export { laneSlots } from './lanes/lanes.ts';
export { startRunner } from './runner.ts';
