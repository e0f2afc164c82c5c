import { Cell } from '../../../models/core/cell.ts';
import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';

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
  /** Speeds that a press on their button goes through, the recorded one first. */
  readonly rates: readonly number[];
  /** @param rate 1 is the recorded speed; the pitch stays */
  readonly setRate: (rate: number) => void;
}

/** Plays one file. Views subscribe to its cells: the position changes with each frame of the screen. */
export class SoundPlayer implements Player {
  readonly state = new Cell<SoundState>(RESTING);
  readonly atSeconds = new Cell(0);
  readonly rates = [1, 1.25, 1.5, 2];
  /** Place, in its list, of the part that was chosen to be heard; undefined once playing is past it. */
  readonly chosen = new Cell<number | undefined>(undefined);
  #audio: HTMLAudioElement | undefined;
  #part: TimeSpan | undefined;
  /** Whether playing ends with the part. */
  #isPartOnly = false;

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
    this.leavePart();
    this.state.set(RESTING);
    this.atSeconds.set(0);
    return () => {
      ending.abort();
      audio.pause();
      audio.removeAttribute('src');
      URL.revokeObjectURL(url);
    };
  }

  /**
   * Plays a part, from its start to its end. It stays chosen there: others may overlap it or follow at once.
   * @param place of the part in its list
   */
  readonly playPart = (part: TimeSpan, place: number): void => {
    this.seek(part.start);
    [this.#part, this.#isPartOnly] = [part, true];
    this.chosen.set(place);
    this.#play();
  };

  /** Plays or pauses. Playing continues past the chosen part. */
  readonly toggle = (): void => {
    this.#isPartOnly = false;
    if (this.#audio?.paused) this.#play();
    else this.#audio?.pause();
  };

  /** Ends the choice of a part, as its list changes. */
  readonly leavePart = (): void => {
    [this.#part, this.#isPartOnly] = [undefined, false];
    this.chosen.set(undefined);
  };

  readonly pause = (): void => this.#audio?.pause();

  /** Goes to a time, within the file. */
  readonly seek = (seconds: number): void => {
    if (!this.#audio) return;
    const { durationSeconds } = this.state.get();
    const at = Math.max(0, durationSeconds > 0 ? Math.min(seconds, durationSeconds) : seconds);
    this.leavePart();
    this.#audio.currentTime = at;
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
      const isPast = this.#part !== undefined && audio.currentTime >= this.#part.end;
      if (isPast && this.#isPartOnly) audio.pause();
      else if (isPast) this.leavePart();
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
