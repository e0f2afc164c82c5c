import type { ProcessOutage } from '../../drizzle/processes.ts';
import { type Dependency, findOutage } from './outage.ts';

/** Failures in a row that open a breaker: one may be an accident. */
const FAILURES_MAX = 3;
const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
/** Longer than a job waits between two attempts: a dependency without further failures counts as sound. */
const FORGOTTEN_MS = 600_000;

interface Breaker {
  readonly since: Date;
  failures: number;
  lastFailureMs: number;
  pauseMs: number;
  /** When the next piece of work is let through. */
  nextTrialMs: number;
  /** Whether a piece of work was let through since the pause last grew. */
  isTried: boolean;
}

export type Breakers = ReturnType<typeof createBreakers>;

/**
 * Creates circuit breakers, one for each dependency (Nygard, Release It!, 2018). A few failures in a row open one; then
 * a single piece of work is let through after each pause, which grows, until one succeeds.
 */
export function createBreakers(nowMs: () => number = Date.now) {
  const failing = new Map<Dependency, Breaker>();
  const getRecent = (dependency: Dependency): Breaker | undefined => {
    const breaker = failing.get(dependency);
    return breaker && nowMs() - breaker.lastFailureMs <= FORGOTTEN_MS ? breaker : undefined;
  };
  const getOpen = (dependency: Dependency): Breaker | undefined => {
    const breaker = getRecent(dependency);
    return breaker && breaker.failures >= FAILURES_MAX ? breaker : undefined;
  };
  return {
    /**
     * Reports whether work that needs these dependencies may start now. True lets one through where a breaker is open.
     */
    mayStart(dependencies: readonly Dependency[]): boolean {
      const open = dependencies.map(getOpen).filter((breaker) => breaker !== undefined);
      if (open.some(({ nextTrialMs }) => nextTrialMs > nowMs())) return false;
      for (const breaker of open) {
        breaker.isTried = true;
        breaker.nextTrialMs = nowMs() + breaker.pauseMs;
      }
      return true;
    },
    /** Reports whether the breaker of one is open, and lets nothing through. */
    isOpen: (dependencies: readonly Dependency[]) =>
      dependencies.some((dependency) => getOpen(dependency) !== undefined),
    recordFailure(dependency: Dependency): void {
      const breaker = getRecent(dependency) ?? createBreaker(nowMs());
      failing.set(dependency, breaker);
      breaker.failures += 1;
      breaker.lastFailureMs = nowMs();
      const opens = breaker.failures === FAILURES_MAX;
      // Work that began before the breaker opened fails later, and says nothing new.
      if (!opens && !breaker.isTried) return;
      if (!opens) breaker.pauseMs = Math.min(breaker.pauseMs * 2, PAUSE_MS_MAX);
      breaker.isTried = false;
      breaker.nextTrialMs = nowMs() + breaker.pauseMs;
    },
    recordSuccess(dependencies: readonly Dependency[]): void {
      for (const dependency of dependencies) failing.delete(dependency);
    },
    /** Lists the dependencies whose breakers are open. */
    listOpen(): ProcessOutage[] {
      return [...failing.keys()].flatMap((dependency) => {
        const breaker = getOpen(dependency);
        return breaker
          ? [{ dependency, failures: breaker.failures, since: breaker.since.toISOString() }]
          : [];
      });
    },
  };
}

/**
 * Does work and records which of its dependencies work.
 * @param dependencies that the work needs
 * @throws OutageError for an outage; what else the work throws
 */
export async function watchOutages<T>(
  breakers: Breakers,
  dependencies: readonly Dependency[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work();
    breakers.recordSuccess(dependencies);
    return result;
  } catch (thrown) {
    const outage = findOutage(thrown);
    if (outage) breakers.recordFailure(outage.dependency);
    throw outage ?? thrown;
  }
}

function createBreaker(nowMs: number): Breaker {
  return {
    since: new Date(nowMs),
    failures: 0,
    lastFailureMs: nowMs,
    pauseMs: FIRST_PAUSE_MS,
    nextTrialMs: 0,
    isTried: false,
  };
}
