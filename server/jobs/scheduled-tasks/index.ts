export {
  addTasks,
  claimTask,
  finishTask,
  freeTasks,
  listTaskRuns,
  recordTaskRun,
  type Schedule,
  type ScheduledTask,
  type TaskClaim,
} from './scheduled-tasks.ts';
