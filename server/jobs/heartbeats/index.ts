export { listProcesses, SILENT_SECONDS_MAX } from './list-processes.ts';
export { startHeartbeats } from './send-heartbeats.ts';
