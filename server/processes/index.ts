export { keepBeating } from './keep-beating.ts';
export { listProcesses, SILENT_SECONDS_MAX } from './list-processes.ts';
