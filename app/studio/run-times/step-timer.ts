import type { Progress } from '../../../models/core/runtime/progress.ts';

/** Step of a run that has ended. */
export interface EndedStep {
  readonly name: string;
  readonly seconds: number;
  /** Progress of the run at its end, 0 to 1. */
  readonly to: number;
  /** Whether it reported nothing for most of its time. */
  readonly isSilent: boolean;
}

/** Step as earlier runs went: its time in seconds, and the progress (0 to 1) at its end. */
export interface ExpectedStep {
  readonly seconds: number;
  readonly to: number;
  readonly isSilent: boolean;
}

interface CurrentStep {
  readonly name: string;
  readonly startedAtMs: number;
  readonly from: number;
  lastAtMs: number;
  longestPauseMs: number;
  /** A step that waited for a download says nothing about its own time. */
  hasLoaded: boolean;
}

/** Silence after which the progress of a step is estimated. */
const SILENT_MS = 1000;
/** Share of a step's time without a report from which the step counts as silent. */
const SILENT_SHARE = 0.5;
/** Most of a step that an estimate shows as done: it may last longer. */
const ESTIMATED_MAX = 0.95;
/** Most of the rest of a run that an estimate shows as done while the end of the step is unknown. */
const UNKNOWN_MAX = 0.5;
/** The same before the first step, while a worker starts. */
const STARTING_MAX = 0.1;
/** Least time of a run that has no earlier one: it also loads what it takes. */
const FIRST_RUN_SECONDS_MIN = 5;

/** Measures the steps of one run, and estimates the progress of those that report nothing. */
export class StepTimer {
  readonly #ended: EndedStep[] = [];
  #current: CurrentStep | undefined;
  #shown: Progress = { fraction: 0 };

  /** Returns the current step's name; undefined before the first report. */
  get step(): string | undefined {
    return this.#current?.name;
  }

  /**
   * Takes a report of the run into account.
   * @param nowMs on any clock that never goes back
   * @returns the progress to show: it never falls behind an estimate
   */
  take(progress: Progress, nowMs: number): Progress {
    const { step: name = '', fraction, loading } = progress;
    if (this.#current?.name !== name) {
      this.#end(fraction, nowMs);
      this.#current = {
        name,
        startedAtMs: nowMs,
        from: fraction,
        lastAtMs: nowMs,
        longestPauseMs: 0,
        hasLoaded: false,
      };
    }
    const current = this.#current;
    current.longestPauseMs = Math.max(current.longestPauseMs, nowMs - current.lastAtMs);
    current.lastAtMs = nowMs;
    if (loading) current.hasLoaded = true;
    const isBehind = fraction < this.#shown.fraction;
    this.#shown = isBehind ? { ...progress, fraction: this.#shown.fraction, isEstimate: true } : progress;
    return this.#shown;
  }

  /**
   * Estimates the progress of a step that is silent; undefined while it reports, or nothing is known of it.
   * @param runSeconds of a run like this one. A step that no earlier run had moves by it, through half of the rest at
   * most
   */
  estimate(expected: ExpectedStep | undefined, nowMs: number, runSeconds?: number): Progress | undefined {
    const current = this.#current;
    const { loading, count } = this.#shown;
    if (!current || loading || count || nowMs - current.lastAtMs < SILENT_MS) return undefined;
    const seconds = (nowMs - current.startedAtMs) / 1000;
    const fraction = current.from + estimateGain(current, seconds, expected, runSeconds);
    if (fraction <= this.#shown.fraction) return undefined;
    this.#shown = { ...this.#shown, fraction, isEstimate: true };
    return this.#shown;
  }

  /** Ends the run. @returns its steps, without those that waited for a download */
  finish(nowMs: number): readonly EndedStep[] {
    this.#end(1, nowMs);
    return this.#ended;
  }

  #end(to: number, nowMs: number): void {
    const current = this.#current;
    this.#current = undefined;
    if (!current || current.hasLoaded || current.name === '') return;
    const spentMs = nowMs - current.startedAtMs;
    const pauseMs = Math.max(current.longestPauseMs, nowMs - current.lastAtMs);
    this.#ended.push({
      name: current.name,
      seconds: spentMs / 1000,
      to,
      isSilent: pauseMs > SILENT_SHARE * spentMs,
    });
  }
}

/** Returns what a silent step adds to the progress of its run in a time; 0 where nothing is known. */
function estimateGain(
  { name, from }: Pick<CurrentStep, 'name' | 'from'>,
  seconds: number,
  expected: ExpectedStep | undefined,
  runSeconds: number | undefined,
): number {
  if (expected) {
    if (!expected.isSilent || expected.seconds <= 0) return 0;
    return (expected.to - from) * Math.min(ESTIMATED_MAX, seconds / expected.seconds);
  }
  if (!runSeconds) return 0;
  const share = seconds / Math.max(FIRST_RUN_SECONDS_MIN, runSeconds);
  return (1 - from) * Math.min(name === '' ? STARTING_MAX : UNKNOWN_MAX, share);
}
