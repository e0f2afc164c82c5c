import { Cell } from '../../../models/core/cell.ts';
import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';
import { openBufferedVoices } from './buffered-voices.ts';
import { type CountIn, countedBeat } from './count-in.ts';
import { fitsMemory } from './decoded-size.ts';
import { AS_RECORDED, type Tuning } from './mix-output.ts';
import type { Player, SoundState } from './sound-player.ts';
import { StreamedVoices } from './streamed-voices.ts';
import type { Voices } from './voices.ts';

/** Way in which a mix plays: decoded in memory, exact to the sample, or as streams, within hundredths of a second. */
export type PlaybackMode = 'opening' | 'exact' | 'streamed';

const RESTING: SoundState = { isPlaying: false, durationSeconds: 0, rate: 1, isBroken: false };

/** Plays several sounds of one length together, each with its own gain, and repeats a part. */
export class MixPlayer implements Player {
  readonly state = new Cell<SoundState>(RESTING);
  readonly atSeconds = new Cell(0);
  readonly way = new Cell<PlaybackMode>('opening');
  readonly tuning = new Cell<Tuning>(AS_RECORDED);
  /** Beat of the count-in that is heard, from 1 on; 0 outside of one. */
  readonly beat = new Cell(0);
  readonly rates = [1, 1.25, 1.5, 0.5, 0.75];
  #voices: Voices | undefined;
  /** Sounds whose position is read with each frame of the screen. */
  #followed: Voices | undefined;
  #gains: readonly number[] = [];
  #loop: TimeSpan | undefined;
  #countIn: CountIn | undefined;
  /** Count-in of the latest start. */
  #counting: CountIn | undefined;
  /** Whether the next start is one that is counted in. */
  #isToCount = false;

  /**
   * Opens sounds in place of those before. The position stays where it was within them.
   * @returns the function that closes them
   */
  open(files: readonly Blob[], durationSeconds: number, sampleRate: number): () => void {
    let isClosed = false;
    this.state.set({ ...RESTING, durationSeconds, rate: this.tuning.get().tempo });
    this.atSeconds.set((at) => Math.min(at, durationSeconds));
    this.way.set('opening');
    const take = (voices: Voices, way: PlaybackMode) => {
      if (isClosed) return voices.close();
      this.#voices = voices;
      voices.setGains(this.#gains);
      void voices.setTuning(this.tuning.get());
      this.way.set(way);
      if (this.state.get().isPlaying) this.#start(this.atSeconds.get());
    };
    const stream = () => take(new StreamedVoices(files), 'streamed');
    const { deviceMemory }: Navigator & { readonly deviceMemory?: number } = navigator;
    if (fitsMemory(files.length, durationSeconds, sampleRate, deviceMemory)) {
      // A browser that refuses so much memory, or the format, may still play streams.
      openBufferedVoices(files, sampleRate).then((voices) => take(voices, 'exact'), stream);
    } else stream();
    return () => {
      isClosed = true;
      this.#show({ isPlaying: false });
      this.#voices?.close();
      this.#voices = undefined;
    };
  }

  /** @param gains factor of each sound, in their order */
  setGains(gains: readonly number[]): void {
    this.#gains = gains;
    this.#voices?.setGains(gains);
  }

  /** Repeats a part from now on, or none. */
  setLoop(loop: TimeSpan | undefined): void {
    this.#loop = loop;
    if (this.state.get().isPlaying) this.#start(this.atSeconds.get());
  }

  /** Counts in before each start by `toggle`, or no more. @param countIn at the recorded tempo */
  setCountIn(countIn: CountIn | undefined): void {
    this.#countIn = countIn;
  }

  readonly setRate = (tempo: number): void => this.#tune({ tempo });

  /** @param semitones -12 to 12; 0 is the recorded pitch */
  setPitch(semitones: number): void {
    this.#tune({ semitones });
  }

  readonly toggle = (): void => {
    if (this.state.get().isPlaying) {
      this.pause();
      return;
    }
    this.#isToCount = true;
    this.#start(this.atSeconds.get());
  };

  readonly pause = (): void => {
    this.#voices?.stop();
    this.#isToCount = false;
    this.beat.set(0);
    this.#show({ isPlaying: false });
  };

  readonly seek = (seconds: number): void => {
    const at = Math.min(Math.max(0, seconds), this.state.get().durationSeconds);
    this.atSeconds.set(at);
    if (this.state.get().isPlaying) this.#start(at);
  };

  #tune(change: Partial<Tuning>): void {
    const tuning = { ...this.tuning.get(), ...change };
    this.tuning.set(tuning);
    this.#show({ rate: tuning.tempo });
    const at = this.atSeconds.get();
    const mustRestart = change.tempo !== undefined && this.state.get().isPlaying;
    this.#voices?.setTuning(tuning).then(
      () => mustRestart && this.#start(at),
      () => this.#show({ isPlaying: false, isBroken: true }),
    );
  }

  #start(fromSeconds: number): void {
    const isAtEnd = fromSeconds >= this.state.get().durationSeconds;
    this.#show({ isPlaying: true });
    const voices = this.#voices;
    // A press before the sounds are open plays them once they are.
    if (!voices) return;
    const countIn = this.#takeCountIn();
    this.#counting = countIn;
    const from = isAtEnd ? (this.#loop?.start ?? 0) : fromSeconds;
    voices.start(from, this.#loop, countIn).catch((thrown: unknown) => {
      // A browser that wants another press can play the sounds.
      const isRefused = thrown instanceof DOMException && thrown.name === 'NotAllowedError';
      if (this.#voices === voices) this.#show({ isPlaying: false, isBroken: !isRefused });
    });
    if (this.#followed !== voices) this.#follow(voices);
  }

  /** Returns the count-in of a start, at the tempo that is heard. */
  #takeCountIn(): CountIn | undefined {
    const isDue = this.#isToCount;
    this.#isToCount = false;
    if (!isDue || !this.#countIn) return undefined;
    const { beats, beatSeconds } = this.#countIn;
    return { beats, beatSeconds: beatSeconds / this.tuning.get().tempo };
  }

  #follow(voices: Voices): void {
    this.#followed = voices;
    const step = () => {
      if (this.#voices !== voices || !this.state.get().isPlaying) {
        if (this.#followed !== voices) return;
        this.#followed = undefined;
        // Sounds may close, or fail to start, while they are counted in.
        this.beat.set(0);
        return;
      }
      const { durationSeconds } = this.state.get();
      const at = voices.position();
      this.beat.set(this.#counting ? countedBeat(this.#counting, voices.secondsToStart()) : 0);
      this.atSeconds.set(Math.min(at, durationSeconds));
      if (at >= durationSeconds) this.pause();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  #show(part: Partial<SoundState>): void {
    this.state.set((before) => ({ ...before, ...part }));
  }
}
