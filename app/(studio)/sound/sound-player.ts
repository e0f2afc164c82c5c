import { Cell } from '../session/cell.ts';
import type { Stretch } from './stretch.ts';

export interface SoundState {
  readonly isPlaying: boolean;
  /** 0 until the browser reports it. */
  readonly durationSeconds: number;
  readonly rate: number;
  /** Whether the browser cannot play the file. */
  readonly isBroken: boolean;
}

const RESTING: SoundState = { isPlaying: false, durationSeconds: 0, rate: 1, isBroken: false };

/** Player of one sound, as its views see it. */
export interface Player {
  readonly state: Cell<SoundState>;
  /** Changes with each frame of the screen. */
  readonly atSeconds: Cell<number>;
  readonly toggle: () => void;
  /** Goes to a time, within the sound. */
  readonly seek: (seconds: number) => void;
  /** Absent where the speed cannot change without changing the pitch. @param rate 1 is the recorded speed */
  readonly setRate?: (rate: number) => void;
}

/** Plays one file. Views subscribe to its cells: the position changes with each frame of the screen. */
export class SoundPlayer implements Player {
  readonly state = new Cell<SoundState>(RESTING);
  readonly atSeconds = new Cell(0);
  /** Part that was last chosen to be heard; undefined once another place was. */
  readonly chosen = new Cell<Stretch | undefined>(undefined);
  #audio: HTMLAudioElement | undefined;
  /** Time at which playing ends. */
  #until = Number.POSITIVE_INFINITY;

  /**
   * Opens a file in place of the one before.
   * @returns the function that closes it
   */
  open(file: Blob): () => void {
    const url = URL.createObjectURL(file);
    const audio = new Audio(url);
    audio.preload = 'metadata';
    const ending = new AbortController();
    const { signal } = ending;
    const listen = (name: string, listener: () => void) => audio.addEventListener(name, listener, { signal });
    for (const name of ['play', 'pause', 'durationchange', 'ratechange']) listen(name, () => this.#read());
    listen('play', () => this.#follow(audio, signal));
    listen('seeked', () => this.atSeconds.set(audio.currentTime));
    listen('error', () => this.#show({ isBroken: true }));
    this.#audio = audio;
    this.#until = Number.POSITIVE_INFINITY;
    this.chosen.set(undefined);
    this.state.set(RESTING);
    this.atSeconds.set(0);
    return () => {
      ending.abort();
      audio.pause();
      audio.removeAttribute('src');
      URL.revokeObjectURL(url);
    };
  }

  /** Plays from a time, to the end of the file or to `untilSeconds`. */
  readonly playFrom = (fromSeconds: number, untilSeconds = Number.POSITIVE_INFINITY): void => {
    this.seek(fromSeconds);
    if (Number.isFinite(untilSeconds)) this.chosen.set({ start: fromSeconds, end: untilSeconds });
    this.#until = untilSeconds;
    this.#play();
  };

  readonly toggle = (): void => {
    this.#until = Number.POSITIVE_INFINITY;
    if (this.#audio?.paused) this.#play();
    else this.#audio?.pause();
  };

  readonly pause = (): void => this.#audio?.pause();

  /** Goes to a time, within the file. */
  readonly seek = (seconds: number): void => {
    if (!this.#audio) return;
    const { durationSeconds } = this.state.get();
    const at = Math.max(0, durationSeconds > 0 ? Math.min(seconds, durationSeconds) : seconds);
    this.#until = Number.POSITIVE_INFINITY;
    this.#audio.currentTime = at;
    this.chosen.set(undefined);
    this.atSeconds.set(at);
  };

  /** @param rate 1 is the recorded speed */
  readonly setRate = (rate: number): void => {
    if (this.#audio) this.#audio.playbackRate = rate;
  };

  #play(): void {
    // A file that cannot be played reports it by its own event.
    this.#audio?.play().catch(() => {});
  }

  #follow(audio: HTMLAudioElement, signal: AbortSignal): void {
    const step = () => {
      if (signal.aborted) return;
      if (audio.currentTime >= this.#until) audio.pause();
      this.atSeconds.set(audio.currentTime);
      if (!audio.paused) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  #read(): void {
    const { paused = true, duration = 0, playbackRate = 1 } = this.#audio ?? {};
    const durationSeconds = Number.isFinite(duration) ? duration : 0;
    this.#show({ isPlaying: !paused, durationSeconds, rate: playbackRate });
  }

  #show(part: Partial<SoundState>): void {
    this.state.set((before) => ({ ...before, ...part }));
  }
}
