/**
 * Run times on this device: sums over (work, seconds) of each run, enough for a linear fit. They come from the
 * visitor's own runs and stay in this browser. Work is in one unit for all runs, such as megabytes or megapixels.
 */
export interface RunTimes {
  readonly runs: number;
  readonly work: number;
  readonly seconds: number;
  readonly workSquared: number;
  readonly workSeconds: number;
}

/** Fewer runs give no estimate: the first run also loads what later ones reuse. */
export const RUNS_MIN = 3;
/** Beyond this count all sums are halved, so that old runs weigh less and less. */
const RUNS_MAX = 60;
export const NO_RUNS: RunTimes = {
  runs: 0,
  work: 0,
  seconds: 0,
  workSquared: 0,
  workSeconds: 0,
};

/** Adds a run. */
export function addRun(times: RunTimes, work: number, seconds: number): RunTimes {
  const share = times.runs >= RUNS_MAX ? 0.5 : 1;
  return {
    runs: Math.floor(times.runs * share) + 1,
    work: times.work * share + work,
    seconds: times.seconds * share + seconds,
    workSquared: times.workSquared * share + work * work,
    workSeconds: times.workSeconds * share + work * seconds,
  };
}

/**
 * Estimates a run's time from the least-squares line through earlier runs, never decreasing with its work and never
 * negative; proportional to the work where all runs had as much.
 * @param runsMin fewer runs give no estimate
 * @returns seconds; undefined before there are enough runs
 */
export function estimateSeconds(times: RunTimes, amount: number, runsMin = RUNS_MIN): number | undefined {
  const { runs, work, seconds, workSquared, workSeconds } = times;
  if (runs < runsMin || work <= 0) return undefined;
  const spread = runs * workSquared - work * work;
  const isOneSize = spread < 0.01 * work * work;
  const slope = isOneSize ? seconds / work : Math.max(0, (runs * workSeconds - work * seconds) / spread);
  const base = Math.max(0, (seconds - slope * work) / runs);
  return base + slope * amount;
}

/** Estimates the time of one file of usual size in seconds; undefined before there are enough runs. */
export function typicalSeconds(times: RunTimes): number | undefined {
  return estimateSeconds(times, times.work / Math.max(1, times.runs));
}
