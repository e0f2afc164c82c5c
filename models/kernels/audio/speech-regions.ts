/** Stretch of time in seconds. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

export interface SpeechRule {
  /** Probability from which speech begins. */
  readonly onset: number;
  /** Probability below which it ends. */
  readonly offset: number;
  /** Shorter speech is dropped. */
  readonly speechSecondsMin: number;
  /** Shorter pauses are part of the speech around them. */
  readonly pauseSecondsMin: number;
  /** Time added at both ends, for quiet first and last sounds. */
  readonly padSeconds: number;
}

/**
 * Finds speech in probabilities, with hysteresis.
 * @param probabilities of speech, one a frame
 * @param frameSeconds length of a frame
 * @returns regions in order, apart from one another, within the frames
 */
export function speechRegions(
  probabilities: ArrayLike<number>,
  frameSeconds: number,
  rule: SpeechRule,
): TimeSpan[] {
  const long = runsAbove(probabilities, frameSeconds, rule).filter(
    ({ start, end }) => end - start >= rule.speechSecondsMin,
  );
  const endSeconds = probabilities.length * frameSeconds;
  const padded = long.map(({ start, end }) => ({
    start: Math.max(0, start - rule.padSeconds),
    end: Math.min(endSeconds, end + rule.padSeconds),
  }));
  return mergeCloseSpans(padded, rule.pauseSecondsMin);
}

/** Joins spans with less than `gapSeconds` between them. @param spans in order of their starts */
export function mergeCloseSpans(spans: readonly TimeSpan[], gapSeconds: number): TimeSpan[] {
  const joined: TimeSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && span.start - last.end < gapSeconds) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    } else joined.push(span);
  }
  return joined;
}

function runsAbove(probabilities: ArrayLike<number>, frameSeconds: number, rule: SpeechRule): TimeSpan[] {
  const runs: TimeSpan[] = [];
  let start: number | null = null;
  for (let at = 0; at < probabilities.length; at++) {
    const probability = probabilities[at];
    if (start === null && probability >= rule.onset) start = at;
    if (start !== null && probability < rule.offset) {
      runs.push({ start: start * frameSeconds, end: at * frameSeconds });
      start = null;
    }
  }
  if (start !== null) runs.push({ start: start * frameSeconds, end: probabilities.length * frameSeconds });
  return runs;
}
