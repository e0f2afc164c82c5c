export { listProcesses, SILENT_SECONDS_MAX, startHeartbeats } from './send-heartbeats.ts';
