import type { TimeRange } from './time-range.ts';
import { applyGains, createGains, type Voices } from './voices.ts';

/** Distance between two streams that is corrected, in seconds. */
const DRIFT_MAX = 0.03;

/** Sounds too long for memory, each read from its file. They are kept within some hundredths of a second. */
export class StreamedVoices implements Voices {
  readonly #sounds: readonly HTMLAudioElement[];
  readonly #urls: readonly string[];
  #context: AudioContext | undefined;
  #gains: readonly GainNode[] = [];
  #wanted: readonly number[] = [];
  #loop: TimeRange | undefined;

  constructor(files: readonly Blob[]) {
    this.#urls = files.map((file) => URL.createObjectURL(file));
    this.#sounds = this.#urls.map((url) => new Audio(url));
  }

  async start(fromSeconds: number, loop: TimeRange | undefined): Promise<void> {
    this.#context ??= new AudioContext();
    const context = this.#context;
    if (this.#gains.length === 0) {
      this.#gains = createGains(context, this.#sounds.length);
      for (const [at, node] of this.#gains.entries()) {
        node.gain.value = this.#wanted[at] ?? 1;
        context.createMediaElementSource(this.#sounds[at] as HTMLAudioElement).connect(node);
      }
    }
    this.#loop = loop && fromSeconds < loop.end ? loop : undefined;
    this.#goTo(fromSeconds);
    await context.resume();
    await Promise.all(this.#sounds.map((sound) => sound.play()));
  }

  stop(): void {
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

  setGains(gains: readonly number[]): void {
    this.#wanted = gains;
    if (this.#context) applyGains(this.#context, this.#gains, gains);
  }

  close(): void {
    for (const sound of this.#sounds) {
      sound.pause();
      sound.removeAttribute('src');
    }
    for (const url of this.#urls) URL.revokeObjectURL(url);
    void this.#context?.close();
  }

  #goTo(seconds: number): void {
    for (const sound of this.#sounds) sound.currentTime = seconds;
  }
}
