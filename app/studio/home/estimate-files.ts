import { RUNS_MAX } from '../../../workers/bridge/run-slots.ts';
import { sizeTellsTime } from '../files/media-kind.ts';
import { estimateSeconds, type RunTimes } from '../run-times/run-times.ts';

/** Estimates the seconds that files take on this device together; undefined where one of them has no estimate. */
export function estimateFiles(times: RunTimes, files: readonly File[]): number | undefined {
  const each = files.map((file) =>
    sizeTellsTime(file) ? estimateSeconds(times, file.size / 1e6) : undefined,
  );
  if (!each.every((seconds) => seconds !== undefined)) return undefined;
  return each.reduce((sum, seconds) => sum + seconds, 0) / Math.min(RUNS_MAX, files.length);
}
