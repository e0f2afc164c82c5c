export { listTaskRuns } from './list-task-runs.ts';
export { recordTaskRun } from './record-task-run.ts';
