import { mapRecord } from '../records.ts';

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

type Span = readonly [from: number, to: number];

/** Progress of a run, and of the downloads that the run turns out to need. */
export interface ProgressMeter {
  /** Receives the progress of the work. */
  readonly work: ReportProgress;
  /** Starts a download, and returns what receives its progress. */
  download(): ReportProgress;
}

type MaybeLoading = Progress['loading'];

/** Coarse form of a cutout, which a page shows until the result is there. */
export interface Draft {
  /** Size in pixels, over the whole image, possibly not in its shape. */
  readonly width: number;
  readonly height: number;
  /** Opacity of each pixel, row by row, 0 to 255. */
  readonly opacity: Uint8Array<ArrayBuffer>;
}

export type ReportDraft = (draft: Draft) => void;

/** Number of finished parts of a run: frames, pages, segments. */
export interface Count {
  readonly done: number;
  /** At least `done`. */
  readonly total: number;
  /** Whether `total` is an estimate that may change. */
  readonly isGuess: boolean;
  /** Singular noun of the parts: `frame`. */
  readonly unit: string;
}

/** Bytes of a download. */
export interface Loading {
  readonly receivedBytes: number;
  /** Null while the size is unknown. */
  readonly totalBytes: number | null;
}

/** Progress of a run, or of a part of it. Every process and page passes it on in this shape. */
export interface Progress {
  /**
   * Share of the work that is done, 0 to 1. It never falls. On a visitor's device downloads are no part of it: no one
   * can tell how long they take against the work, and one frame of a hundred must not count for half of the run.
   */
  readonly fraction: number;
  /** Number of finished parts, for work with consecutive parts. */
  readonly count?: Count | undefined;
  /** Whether `fraction` is estimated from the times of earlier runs, where the step itself reports nothing. */
  readonly isEstimate?: boolean | undefined;
  /** Name of the current step, as a page shows it: `encoding`. */
  readonly step?: string | undefined;
  /** Download that the run waits for; undefined during the work. */
  readonly loading?: Loading | undefined;
}

export type ReportProgress = (progress: Progress) => void;

/** Returns the share of a download that has arrived, 0 to 1; 0 while its size is unknown. */
export function loadedShare({ receivedBytes, totalBytes }: Loading): number {
  return totalBytes ? Math.min(1, receivedBytes / totalBytes) : 0;
}

/** Returns the progress of work that is nothing but a download. */
export function loadingProgress(loading: Loading): Progress {
  return { fraction: loadedShare(loading), loading };
}

/**
 * Returns the progress of one part of a run.
 * @param report receives the progress of the whole run
 * @param from share of the run before the part, 0 to 1
 * @param to share of the run after it
 */
export function progressSpan(report: ReportProgress, from: number, to: number): ReportProgress {
  return (progress) => report({ ...progress, fraction: from + (to - from) * progress.fraction });
}

/**
 * Returns the progress of each of several equal parts; ignores a part that falls back.
 * @param report receives the progress of all parts together: their mean
 * @param total number of parts
 * @param doneBefore parts that were done before the run began; they have no progress of their own
 */
export function progressParts(
  report: ReportProgress,
  total: number,
  doneBefore = 0,
): (part: number) => ReportProgress {
  const fractions = new Float64Array(total - doneBefore);
  return (part) =>
    ({ fraction }) => {
      fractions[part] = Math.max(fractions[part] ?? 0, fraction);
      report({ fraction: fractions.reduce((sum, each) => sum + each, doneBefore) / total });
    };
}

/**
 * Creates the meter of a run, which keeps its fraction from falling, and its last step and count.
 * @param report is called only when something changes
 */
export function createProgressMeter(report: ReportProgress): ProgressMeter {
  let last: Progress = { fraction: 0 };
  return {
    work({ fraction, count = last.count, step = last.step, loading }) {
      const reached = Math.max(last.fraction, Math.min(1, fraction));
      const waited = unfinished(loading);
      const isNew = step !== last.step || !isSame(waited, last.loading);
      if (reached === last.fraction && !isNew) return;
      last = { fraction: reached, count, step, loading: waited };
      report(last);
    },
    download:
      () =>
      ({ loading }) => {
        const waited = unfinished(loading);
        if (isSame(waited, last.loading)) return;
        last = { ...last, loading: waited };
        report(last);
      },
  };
}

/** Returns a download that the run still waits for. */
function unfinished(loading: MaybeLoading): MaybeLoading {
  return loading && loadedShare(loading) < 1 ? loading : undefined;
}

function isSame(one: MaybeLoading, other: MaybeLoading): boolean {
  return one?.receivedBytes === other?.receivedBytes && one?.totalBytes === other?.totalBytes;
}

/**
 * Declares the steps of a run. A step that has its own steps shows their names.
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

function getSpans<Name extends string>(shares: Readonly<Record<Name, number>>): Readonly<Record<Name, Span>> {
  let reached = 0;
  const spans = mapRecord(shares, (share, name): Span => {
    if (!(share > 0)) throw new RangeError(`The step "${name}" has no share of its run.`);
    const from = reached;
    reached += share;
    return [from, Math.min(1, reached)];
  });
  if (Math.abs(reached - 1) > SUM_TOLERANCE) {
    throw new RangeError(`The shares of ${Object.keys(shares).join(', ')} sum to ${reached} instead of 1.`);
  }
  return spans;
}

/**
 * Sums several concurrent downloads to one.
 * @param report receives the bytes of all, never decreasing; nothing when there are none
 * @returns adds a download of a given size, 0 for local files, and returns what receives its progress
 */
export function summedProgress(report: ReportProgress): (totalBytes: number) => ReportProgress {
  let allBytes = 0;
  const received: number[] = [];
  return (totalBytes) => {
    const at = received.push(0) - 1;
    allBytes += totalBytes;
    return ({ loading }) => {
      const bytes = Math.min(totalBytes, loading?.receivedBytes ?? 0);
      if (bytes <= (received[at] ?? 0)) return;
      received[at] = bytes;
      const receivedBytes = received.reduce((sum, each) => sum + each, 0);
      report(loadingProgress({ receivedBytes, totalBytes: allBytes }));
    };
  };
}
