const RATE_MAX = 120;
/** Frames counted to estimate a mean rate: a minute at 60 per second. */
export const COUNTED_FRAMES_MAX = 3_600;

/** Stretch of audio or video that could not be read, in seconds of the file's clock. */
interface DamagedStretch {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Good audio between two damaged stretches that is too short to tell them apart. */
const JOIN_SECONDS = 0.25;
/** Stretches that are kept apart; later ones are joined to the last one. */
const STRETCHES_MAX = 1000;
/** Stretches that words name. */
const NAMED_MAX = 5;

/** Damaged stretches of a file, in order. Close ones are joined. */
export class DamagedStretches {
  readonly #stretches: { startSeconds: number; endSeconds: number }[] = [];
  #damagedSeconds = 0;

  /** Length of all that was added. */
  get damagedSeconds(): number {
    return this.#damagedSeconds;
  }

  get all(): readonly DamagedStretch[] {
    return this.#stretches;
  }

  /** Names the first stretches, to follow a comma. */
  get words(): string {
    const named = this.#stretches
      .slice(0, NAMED_MAX)
      .map(({ startSeconds, endSeconds }) => `${startSeconds.toFixed(1)} to ${endSeconds.toFixed(1)} s`);
    const others = this.#stretches.length - named.length;
    return `from ${named.join(', ')}${others > 0 ? ` and in ${others} other places` : ''}`;
  }

  add(startSeconds: number, endSeconds: number): void {
    const last = this.#stretches.at(-1);
    this.#damagedSeconds += Math.max(0, endSeconds - Math.max(startSeconds, last?.endSeconds ?? 0));
    const isClose = last && startSeconds - last.endSeconds <= JOIN_SECONDS;
    if (last && (isClose || this.#stretches.length >= STRETCHES_MAX)) {
      last.endSeconds = Math.max(last.endSeconds, endSeconds);
    } else this.#stretches.push({ startSeconds, endSeconds });
  }
}

/** Stretch of a track that is played. All times are in seconds. */
export interface PlayedStretch {
  /** Start, in the times of the track's packets. */
  readonly fromSeconds: number;
  /** End, in the times of the track's packets; infinite up to the end of the track. */
  readonly toSeconds: number;
  /** Start on the clock of the file. */
  readonly startSeconds: number;
}

/** Stretches of a track in the order in which they are played. */
export type TrackClock = readonly PlayedStretch[];

/** Clock of a track that is played from its start to its end. */
export const WHOLE_CLOCK: TrackClock = [
  { fromSeconds: 0, toSeconds: Number.POSITIVE_INFINITY, startSeconds: 0 },
];

/** Times that a track's packets have, and its edit list. */
export interface TrackTimes {
  /** Time of the first sample that a decoder can play. */
  readonly firstSeconds: number;
  /** Edit list on the container's own clock; null where all of the track is played. */
  readonly edits: TrackClock | null;
  /** Whether what lies far before 0 is played, as in Matroska, which has no edit lists. Defaults to false. */
  readonly mayStartBeforeZero?: boolean;
}

/** Part of a piece that is played. */
export interface PlacedPart {
  /** Start on the clock of the file. */
  readonly startSeconds: number;
  /** Length at the start of the piece that is left out. */
  readonly skippedSeconds: number;
  readonly lengthSeconds: number;
}

/** Longer than the priming of any encoder. */
export const PRIMING_SECONDS_MAX = 0.15;
/** Shorter parts are differences of rounding between the clocks of edit lists and tracks. */
const PART_SECONDS_MIN = 0.0005;

/**
 * Places the tracks of a file on one clock, which starts where the first of them starts to play. Samples before 0 on a
 * track's own clock are encoder priming, unless they are many in a container without edit lists. An edit list that
 * shows nothing is ignored.
 */
export function placeTracks(tracks: readonly TrackTimes[]): readonly TrackClock[] {
  const clocks = tracks.map(playedStretches);
  const origin = Math.min(...clocks.flat().map(({ startSeconds }) => startSeconds));
  return clocks.map((clock) => shiftClock(clock, -origin));
}

/** Moves a clock by a number of seconds. */
export function shiftClock(clock: TrackClock, seconds: number): TrackClock {
  return clock.map((stretch) => ({ ...stretch, startSeconds: stretch.startSeconds + seconds }));
}

function playedStretches({ firstSeconds, edits, mayStartBeforeZero = false }: TrackTimes): TrackClock {
  const shown = (edits ?? [])
    .filter(({ toSeconds }) => toSeconds > firstSeconds)
    .map(({ fromSeconds, toSeconds, startSeconds }) => {
      const missing = Math.max(0, firstSeconds - fromSeconds);
      return { fromSeconds: fromSeconds + missing, toSeconds, startSeconds: startSeconds + missing };
    });
  if (shown.length > 0) return shown;
  const isEarly = mayStartBeforeZero && firstSeconds < -PRIMING_SECONDS_MAX;
  const start = isEarly ? firstSeconds : Math.max(0, firstSeconds);
  return [{ fromSeconds: start, toSeconds: Number.POSITIVE_INFINITY, startSeconds: start }];
}

/** Returns the time on the clock of the file at which a track ends. @param endSeconds end of its last packet */
export function endOfClock(clock: TrackClock, endSeconds: number): number {
  const ends = clock.map(({ fromSeconds, toSeconds, startSeconds }) =>
    endSeconds <= fromSeconds ? 0 : startSeconds + Math.min(toSeconds, endSeconds) - fromSeconds,
  );
  return Math.max(0, ...ends);
}

/** Sums the lengths of a track that are played. @param endSeconds end of its last packet */
export function playedSeconds(clock: TrackClock, endSeconds: number): number {
  return clock.reduce(
    (sum, { fromSeconds, toSeconds }) => sum + Math.max(0, Math.min(toSeconds, endSeconds) - fromSeconds),
    0,
  );
}

/**
 * Yields the parts of a piece that are played.
 * @param fromSeconds time of the piece, in the times of the track's packets
 */
export function* placedParts(
  clock: TrackClock,
  fromSeconds: number,
  lengthSeconds: number,
): Generator<PlacedPart> {
  for (const stretch of clock) {
    const skippedSeconds = Math.max(0, stretch.fromSeconds - fromSeconds);
    const end = Math.min(lengthSeconds, stretch.toSeconds - fromSeconds);
    if (end - skippedSeconds < Math.min(PART_SECONDS_MIN, lengthSeconds)) continue;
    yield {
      startSeconds: stretch.startSeconds + fromSeconds + skippedSeconds - stretch.fromSeconds,
      skippedSeconds,
      lengthSeconds: end - skippedSeconds,
    };
  }
}

/** Divides a clock into parts that each play the track from front to back: each needs its own decoder. */
export function decodingPasses(clock: TrackClock): readonly TrackClock[] {
  const passes: PlayedStretch[][] = [];
  for (const stretch of clock) {
    const before = passes.at(-1)?.at(-1);
    if (before && stretch.fromSeconds >= before.toSeconds - PART_SECONDS_MIN) passes.at(-1)?.push(stretch);
    else passes.push([stretch]);
  }
  return passes;
}

/**
 * Sums the lengths that are decoded: each pass starts at the start of the track, and ends with its last stretch.
 * @param endSeconds end of the track's last packet
 */
export function decodedSeconds(clock: TrackClock, endSeconds: number): number {
  return decodingPasses(clock).reduce((sum, pass) => {
    const passEnd = pass.reduce((end, { toSeconds }) => Math.max(end, toSeconds), 0);
    return sum + Math.min(passEnd, endSeconds);
  }, 0);
}

/** Returns the mean rate of a video for encoders, which accept whole numbers from 1. */
export function encoderRate(frameRate: number): number {
  return Math.min(RATE_MAX, Math.max(1, Math.round(frameRate)));
}
