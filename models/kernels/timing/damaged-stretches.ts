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
