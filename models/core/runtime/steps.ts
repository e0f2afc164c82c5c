import { progressSpan, type ReportProgress } from './progress.ts';

/** Steps of a run, in order, with the share of its time that each takes. */
export interface Steps<Name extends string = string> {
  /** Shares by name, 0 to 1. Their sum is 1. */
  readonly shares: Readonly<Record<Name, number>>;
  /** Places the steps of one run on its progress. */
  of(report: ReportProgress): StepsOfRun<Name>;
}

/** Steps of one run. */
export interface StepsOfRun<Name extends string> {
  /**
   * Runs a step, and reports its name and beginning.
   * @param work receives the progress of the step alone, 0 to 1
   */
  step<Result>(name: Name, work: (progress: ReportProgress) => Promise<Result>): Promise<Result>;
  /** Returns the progress of a step that begins with its first report: one call may do several steps. */
  span(name: Name): ReportProgress;
}

/** Room for the rounding of decimal shares. */
const SUM_TOLERANCE = 1e-9;

/**
 * Declares the steps of a run. A step that has steps of its own shows their names.
 * @param shares of the run's time, by name: `{ decoding: 0.3, encoding: 0.7 }`
 * @throws RangeError when the shares are not positive, or their sum is not 1
 */
export function steps<const Name extends string>(shares: Readonly<Record<Name, number>>): Steps<Name> {
  const spans = getSpans(shares);
  return {
    shares,
    of(report) {
      const span = (name: Name): ReportProgress => {
        const [from, to] = spans[name];
        const progress = progressSpan(report, from, to);
        return (reached) => progress({ ...reached, step: reached.step ?? name });
      };
      return {
        span,
        async step(name, work) {
          const progress = span(name);
          progress({ fraction: 0 });
          return await work(progress);
        },
      };
    },
  };
}

type Span = readonly [from: number, to: number];

function getSpans<Name extends string>(shares: Readonly<Record<Name, number>>): Readonly<Record<Name, Span>> {
  let reached = 0;
  const spans = Object.entries<number>(shares).map(([name, share]) => {
    if (!(share > 0)) throw new RangeError(`The step "${name}" has no share of its run.`);
    const from = reached;
    reached += share;
    return [name, [from, Math.min(1, reached)]] as const;
  });
  if (Math.abs(reached - 1) > SUM_TOLERANCE) {
    throw new RangeError(`The shares of ${Object.keys(shares).join(', ')} sum to ${reached} instead of 1.`);
  }
  return Object.fromEntries(spans) as Record<Name, Span>;
}
