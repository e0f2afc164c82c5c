/** Span that the rate is taken from: long enough to be steady, short enough to follow a change. */
const WINDOW_MS = 10_000;
const SPAN_MIN_MS = 1_500;
/** Different progress that must have been seen: one jump, as after a download, is no rate. */
const SEEN_MIN = 3;

/** Estimates the time left of a run from the rate of its last seconds. */
export class ProgressRate {
  #steps: { readonly fraction: number; readonly atMs: number }[] = [];
  /** Count of different fractions since the run began. */
  #seen = 0;

  /**
   * Takes the current progress into account.
   * @param fraction 0 to 1; a smaller one than before starts again
   * @param nowMs on any clock that never goes back
   * @returns seconds left; undefined before there is a rate
   */
  secondsLeft(fraction: number, nowMs: number): number | undefined {
    const last = this.#steps.at(-1);
    if (last && fraction < last.fraction) [this.#steps, this.#seen] = [[], 0];
    if (fraction !== this.#steps.at(-1)?.fraction) {
      this.#steps.push({ fraction, atMs: nowMs });
      this.#seen += 1;
    }
    if (this.#seen < SEEN_MIN) return undefined;
    // Before the first step a run starts and loads: that time says nothing of its rate.
    if (this.#seen === SEEN_MIN && this.#steps.length === SEEN_MIN) this.#steps.shift();
    // Two steps stay however old they are: a slow run has a rate, too.
    while (this.#steps.length > 2 && (this.#steps[1]?.atMs ?? nowMs) <= nowMs - WINDOW_MS)
      this.#steps.shift();
    const [first] = this.#steps;
    const spanMs = nowMs - (first?.atMs ?? nowMs);
    const done = fraction - (first?.fraction ?? fraction);
    return done > 0 && spanMs >= SPAN_MIN_MS ? ((1 - fraction) * spanMs) / done / 1000 : undefined;
  }
}
