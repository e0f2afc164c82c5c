import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';
import { type CountIn, countInSeconds, scheduleClicks } from './count-in.ts';
import { MixOutput, type Tuning } from './mix-output.ts';
import type { Voices } from './voices.ts';

/** Distance between two streams that is corrected, in seconds. */
const DRIFT_MAX = 0.03;

/** Sounds too long for memory, each read from its file. They are kept within some hundredths of a second. */
export class StreamedVoices implements Voices {
  readonly #sounds: readonly HTMLAudioElement[];
  readonly #urls: readonly string[];
  readonly #output: MixOutput;
  #isConnected = false;
  /** Count of starts and stops: a start that another one or a stop overtakes plays nothing. */
  #turn = 0;
  #loop: TimeSpan | undefined;
  #startsAt = 0;
  #endClicks = (): void => {};

  constructor(files: readonly Blob[]) {
    this.#urls = files.map((file) => URL.createObjectURL(file));
    this.#sounds = this.#urls.map((url) => new Audio(url));
    this.#output = new MixOutput(files.length);
  }

  async start(fromSeconds: number, loop: TimeSpan | undefined, countIn?: CountIn): Promise<void> {
    this.stop();
    this.#allow();
    const turn = this.#turn;
    const { context, bus, inputs } = await this.#output.open();
    if (turn !== this.#turn) return;
    for (const [at, sound] of this.#sounds.entries()) {
      if (!this.#isConnected) context.createMediaElementSource(sound).connect(inputs[at]);
      Object.assign(sound, { preservesPitch: false, playbackRate: this.#output.tempo });
    }
    this.#isConnected = true;
    this.#loop = loop && fromSeconds < loop.end ? loop : undefined;
    this.#goTo(fromSeconds);
    await context.resume();
    this.#startsAt = 0;
    if (countIn) {
      const seconds = countInSeconds(countIn);
      this.#endClicks = scheduleClicks(bus, context.currentTime, countIn);
      this.#startsAt = context.currentTime + seconds;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      if (turn !== this.#turn) return;
    }
    await Promise.all(this.#sounds.map((sound) => sound.play()));
  }

  /**
   * Lets scripts play the sounds from now on. Safari takes only what a press itself plays, and sounds that were played
   * so before: a count-in ends long after its press.
   */
  #allow(): void {
    for (const sound of this.#sounds) {
      sound.play().catch(() => {});
      sound.pause();
    }
  }

  stop(): void {
    this.#turn += 1;
    this.#endClicks();
    for (const sound of this.#sounds) sound.pause();
  }

  position(): number {
    const [first, ...others] = this.#sounds;
    const at = first?.currentTime ?? 0;
    if (this.#loop && at >= this.#loop.end) {
      this.#goTo(this.#loop.start);
      return this.#loop.start;
    }
    for (const sound of others) {
      if (!sound.seeking && Math.abs(sound.currentTime - at) > DRIFT_MAX) sound.currentTime = at;
    }
    return at;
  }

  secondsToStart(): number {
    return Math.max(0, this.#startsAt - this.#output.heardAt());
  }

  setGains(gains: readonly number[]): void {
    this.#output.setGains(gains);
  }

  setTuning(tuning: Tuning): Promise<void> {
    return this.#output.setTuning(tuning);
  }

  close(): void {
    this.stop();
    for (const sound of this.#sounds) sound.removeAttribute('src');
    for (const url of this.#urls) URL.revokeObjectURL(url);
    this.#output.close();
  }

  #goTo(seconds: number): void {
    for (const sound of this.#sounds) sound.currentTime = seconds;
  }
}
