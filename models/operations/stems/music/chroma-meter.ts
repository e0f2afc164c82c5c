import { Fft } from '../../../kernels/audio/fft.ts';
import { hannWindow } from '../kernels/stft.ts';

const WINDOW = 8192;
/** Notes that count, as numbers of MIDI: below, bins are too wide for a semitone; above lie overtones. */
const NOTES = { first: 40, last: 88 } as const;
const CONCERT_A = { hertz: 440, note: 69 } as const;

/**
 * Sums how much each pitch class sounds in a song (chroma: T. Fujishima, "Realtime chord recognition of musical sound",
 * ICMC 1999). Each window counts alike, however loud it is.
 */
export class ChromaMeter {
  readonly #fft = new Fft(WINDOW);
  readonly #hann = hannWindow(WINDOW);
  readonly #held = new Float64Array(WINDOW);
  readonly #real = new Float64Array(WINDOW);
  readonly #imaginary = new Float64Array(WINDOW);
  readonly #classes: Int8Array;
  readonly #sums = new Float64Array(12);
  #count = 0;

  /** @param sampleRate in Hz */
  constructor(sampleRate: number) {
    this.#classes = Int8Array.from({ length: WINDOW / 2 }, (_, bin) =>
      pitchClass((bin * sampleRate) / WINDOW),
    );
  }

  /** @param sample of all channels together */
  add(sample: number): void {
    this.#held[this.#count++] = sample;
    if (this.#count < WINDOW) return;
    this.#measure();
    this.#count = 0;
  }

  /** Returns the share of each pitch class from C on, which add up to 1; null where nothing sounds. */
  finish(): readonly number[] | null {
    const total = this.#sums.reduce((sum, value) => sum + value, 0);
    return total > 0 ? Array.from(this.#sums, (value) => value / total) : null;
  }

  #measure(): void {
    for (let at = 0; at < WINDOW; at++) {
      this.#real[at] = this.#held[at] * this.#hann[at];
    }
    this.#imaginary.fill(0);
    this.#fft.transform(this.#real, this.#imaginary);
    const levels = new Float64Array(12);
    for (let bin = 1; bin < this.#classes.length; bin++) {
      const at = this.#classes[bin];
      if (at < 0) continue;
      levels[at] = levels[at] + Math.hypot(this.#real[bin], this.#imaginary[bin]);
    }
    const loudest = Math.max(...levels);
    if (loudest < SILENCE) return;
    for (const [at, level] of levels.entries()) this.#sums[at] = this.#sums[at] + level / loudest;
  }
}

/** Level of a pitch class below which a window is silent. */
const SILENCE = 1e-3;

/** Returns the pitch class of a frequency in Hz, 0 for C; -1 outside of the notes that count. */
function pitchClass(hertz: number): number {
  const note = Math.round(CONCERT_A.note + 12 * Math.log2(hertz / CONCERT_A.hertz));
  return note >= NOTES.first && note <= NOTES.last ? note % 12 : -1;
}
