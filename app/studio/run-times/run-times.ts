/**
 * Run times on this device: sums over the logarithms of (work, seconds) of each run, enough for a line through them.
 * They come from the visitor's own runs and stay in this browser. Work is in one unit for all runs, such as megabytes
 * or megapixels. By logarithms a run that took five times as long as usual does not drown the others.
 */
export interface RunTimes {
  readonly runs: number;
  readonly logWork: number;
  readonly logSeconds: number;
  readonly logWorkSquared: number;
  readonly logWorkSeconds: number;
}

/** Fewer runs give no estimate: the first run also loads what later ones reuse. */
export const RUNS_MIN = 3;
/** Beyond this count all sums are halved, so that old runs weigh less and less. */
const RUNS_MAX = 60;
/** Slope of the line without runs of different work: a part of each run takes the same time for all work. */
const USUAL_SLOPE = 0.7;
/** Weight of the usual slope against that of the runs: that of two whose work differs by a factor of e. */
const USUAL_WEIGHT = 0.5;
/** Least work that counts: nothing has a logarithm. */
const WORK_MIN = 1e-6;
/** Shortest time that counts, in seconds: clocks that protect privacy tell 0 for what is shorter than their step. */
const SECONDS_MIN = 0.05;

interface EstimateOptions {
  /** Fewer runs give no estimate. */
  readonly runsMin?: number;
  /** Slope that counts as long as no runs tell it, 0 to 1: 0 where the time is the same for all work. */
  readonly usualSlope?: number;
}

export const NO_RUNS: RunTimes = {
  runs: 0,
  logWork: 0,
  logSeconds: 0,
  logWorkSquared: 0,
  logWorkSeconds: 0,
};

/** Adds a run. */
export function addRun(times: RunTimes, work: number, seconds: number): RunTimes {
  const share = times.runs >= RUNS_MAX ? 0.5 : 1;
  const logWork = Math.log(Math.max(WORK_MIN, work));
  const logSeconds = Math.log(Math.max(SECONDS_MIN, seconds));
  return {
    runs: Math.floor(times.runs * share) + 1,
    logWork: times.logWork * share + logWork,
    logSeconds: times.logSeconds * share + logSeconds,
    logWorkSquared: times.logWorkSquared * share + logWork * logWork,
    logWorkSeconds: times.logWorkSeconds * share + logWork * logSeconds,
  };
}

/**
 * Estimates a run's time by the slope of earlier runs, which never falls with the work, and at most grows in proportion
 * to it. Above the usual work, time grows as work^slope. Below it, the share 1 - slope of the usual time is fixed.
 * @returns seconds; undefined before there are enough runs
 */
export function estimateSeconds(
  times: RunTimes,
  amount: number,
  { runsMin = RUNS_MIN, usualSlope = USUAL_SLOPE }: EstimateOptions = {},
): number | undefined {
  const { runs, logWork, logSeconds, logWorkSquared, logWorkSeconds } = times;
  if (runs < runsMin) return undefined;
  const spread = logWorkSquared - (logWork * logWork) / runs;
  const shared = logWorkSeconds - (logWork * logSeconds) / runs;
  const found = (shared + USUAL_WEIGHT * usualSlope) / (spread + USUAL_WEIGHT);
  const slope = Math.min(1, Math.max(0, found));
  const share = amount / usualWork(times);
  return Math.exp(logSeconds / runs) * (share > 1 ? share ** slope : 1 - slope + slope * share);
}

/** Estimates the time of one file of usual size in seconds; undefined before there are enough runs. */
export function typicalSeconds(times: RunTimes): number | undefined {
  return estimateSeconds(times, usualWork(times));
}

/** Returns the geometric mean of the work of all runs. */
function usualWork({ runs, logWork }: RunTimes): number {
  return Math.exp(logWork / Math.max(1, runs));
}
