export { claimTask, freeTasks, type TaskClaim } from './claim-task.ts';
export { finishTask } from './finish-task.ts';
export { listTaskRuns } from './list-task-runs.ts';
export { recordTaskRun, type ScheduledTask } from './record-task-run.ts';
export { addTasks, type Schedule } from './schedule.ts';
