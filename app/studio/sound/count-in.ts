/** Clicks before sounds start. */
export interface CountIn {
  readonly beats: number;
  readonly beatSeconds: number;
}

/** Pitch of a click in Hz: the first one of a bar is higher. */
const HERTZ = { first: 1568, other: 1047 } as const;
const CLICK_SECONDS = 0.06;
const LOUDNESS = 0.5;
/** An exponential ramp cannot reach 0. */
const SILENCE = 0.001;

export function countInSeconds({ beats, beatSeconds }: CountIn): number {
  return beats * beatSeconds;
}

/** Returns the beat that is counted, from 1 on; 0 once the sounds play. @param secondsLeft until they start */
export function countedBeat({ beats, beatSeconds }: CountIn, secondsLeft: number): number {
  if (secondsLeft <= 0) return 0;
  return Math.min(beats, Math.max(1, beats + 1 - Math.ceil(secondsLeft / beatSeconds)));
}

/**
 * Schedules the clicks of a count-in.
 * @param startsAt time of the first click, on the clock of the output
 * @returns the function that takes back those that are still to come
 */
export function scheduleClicks(
  output: AudioNode,
  startsAt: number,
  { beats, beatSeconds }: CountIn,
): () => void {
  const { context } = output;
  const clicks = Array.from({ length: beats }, (_, beat) => {
    const at = startsAt + beat * beatSeconds;
    const click = new OscillatorNode(context, { frequency: beat === 0 ? HERTZ.first : HERTZ.other });
    const loudness = new GainNode(context, { gain: 0 });
    loudness.gain.setValueAtTime(LOUDNESS, at);
    loudness.gain.exponentialRampToValueAtTime(SILENCE, at + CLICK_SECONDS);
    click.connect(loudness).connect(output);
    click.start(at);
    click.stop(at + CLICK_SECONDS);
    return click;
  });
  return () => {
    for (const click of clicks) click.disconnect();
  };
}
