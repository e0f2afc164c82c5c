interface Reading {
  readonly fraction: number;
  readonly atMs: number;
}

/** Span that a rate is taken from: long enough to be steady, short enough to follow a change. */
const WINDOW_MS = 10_000;
/** Different progress that must have been seen: one jump, as after a download, is no rate. */
const SEEN_MIN = 4;
/** Share of a run, and time, from which on its own rate tells how long it takes. */
const RATE_FROM = { fraction: 0.1, spanMs: 2_000 };
/** Most by which the last estimates of a rate may differ before one of them is shown. */
const SPREAD_MAX = 1.5;
/** Number of estimates that must agree so far. */
const AGREEING = 3;
/** Share of an expected time below which what is left of it says little: runs differ by a fifth. */
const EXPECTED_MIN = 0.35;
/** Excess of an estimate over what is shown beyond which nothing is known any more: a factor, and seconds. */
const EXCESS_MAX = { factor: 1.5, seconds: 1 };
/** Time for which what is shown may stand still, in seconds and as a share of it: then it was too short. */
const STILL_MAX = { seconds: 3, share: 0.25 };

/**
 * Estimates the time left of a run: by what earlier runs of its kind took, as long as it keeps to that, and by its own
 * rate. It is unknown until one of both tells, and again once what was shown turns out to be too short: what is shown
 * never rises, nor stands still for long.
 */
export class TimeLeft {
  #readings: Reading[] = [];
  #estimates: number[] = [];
  #startedAtMs: number | undefined;
  /** Least that was shown, in seconds. */
  #shown = Number.POSITIVE_INFINITY;
  #shownAtMs = 0;

  /**
   * Takes the current progress into account.
   * @param fraction 0 to 1; a smaller one than before starts again
   * @param nowMs on any clock that never goes back
   * @param expectedSeconds of such a run by earlier ones on this device; undefined without any
   * @param isGuess whether the progress itself follows from an expected time: it then says nothing about the rate
   * @returns seconds left; undefined while unknown
   */
  secondsLeft(
    fraction: number,
    nowMs: number,
    expectedSeconds?: number,
    isGuess = false,
  ): number | undefined {
    if (fraction < (this.#readings.at(-1)?.fraction ?? 0)) this.#restart();
    this.#startedAtMs ??= nowMs;
    const hasMoved = !isGuess && fraction !== this.#readings.at(-1)?.fraction;
    if (hasMoved) this.#readings.push({ fraction, atMs: nowMs });
    const left = this.#combine(fraction, nowMs, hasMoved, expectedSeconds);
    return left === undefined ? undefined : this.#bounded(left, nowMs);
  }

  #restart(): void {
    this.#readings = [];
    this.#estimates = [];
    this.#startedAtMs = undefined;
    this.#shown = Number.POSITIVE_INFINITY;
  }

  /** Weighs both estimates: the farther the run, the more its own rate counts. */
  #combine(fraction: number, nowMs: number, hasMoved: boolean, expectedSeconds?: number): number | undefined {
    const spentSeconds = (nowMs - (this.#startedAtMs ?? nowMs)) / 1000;
    const byRate = this.#byRate(fraction, nowMs, hasMoved);
    if (expectedSeconds === undefined) return byRate;
    const byRuns = expectedSeconds - spentSeconds;
    if (byRate === undefined) return byRuns > EXPECTED_MIN * expectedSeconds ? byRuns : undefined;
    const weight = Math.sqrt(fraction);
    return weight * byRate + (1 - weight) * Math.max(0, byRuns);
  }

  /** Returns the estimate by the rate of the last seconds, once several in a row agree. */
  #byRate(fraction: number, nowMs: number, hasMoved: boolean): number | undefined {
    const readings = this.#readings;
    // Two stay however old they are: a slow run has a rate, too.
    while (readings.length > SEEN_MIN && (readings[1]?.atMs ?? nowMs) <= nowMs - WINDOW_MS) readings.shift();
    const [first] = readings;
    if (!first || readings.length < SEEN_MIN || fraction < RATE_FROM.fraction) return undefined;
    const spanMs = nowMs - first.atMs;
    const done = fraction - first.fraction;
    if (done <= 0 || spanMs < RATE_FROM.spanMs) return undefined;
    const left = ((1 - fraction) * spanMs) / done / 1000;
    if (hasMoved) this.#estimates = [...this.#estimates, nowMs / 1000 + left].slice(-AGREEING);
    if (this.#estimates.length < AGREEING) return undefined;
    const lefts = this.#estimates.map((end) => Math.max(0.5, end - nowMs / 1000));
    if (Math.max(...lefts) / Math.min(...lefts) > SPREAD_MAX) return undefined;
    // Between two steps the rate falls, though the next one may be about to end.
    return (left + (lefts.at(-1) ?? left)) / 2;
  }

  /** Keeps what is shown from rising; undefined where it was far too short. */
  #bounded(left: number, nowMs: number): number | undefined {
    if (left > this.#shown * EXCESS_MAX.factor + EXCESS_MAX.seconds) return undefined;
    if (left < this.#shown) {
      this.#shown = left;
      this.#shownAtMs = nowMs;
    }
    const stillSeconds = (nowMs - this.#shownAtMs) / 1000;
    const isStill = stillSeconds > Math.max(STILL_MAX.seconds, STILL_MAX.share * this.#shown);
    return isStill ? undefined : this.#shown;
  }
}
