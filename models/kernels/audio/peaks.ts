/** Length of audio that one peak stands for. */
export const PEAK_SECONDS = 0.01;

/** Loudest sample of each hundredth of a second, 0 to 255 of full scale, and the exact length of the audio. */
export interface Peaks {
  readonly levels: Uint8Array<ArrayBuffer>;
  readonly durationSeconds: number;
}

/** Measures peaks of audio that comes in chunks. Memory is one byte for each peak. */
export class PeakMeter {
  readonly #samplesPerPeak: number;
  readonly #sampleRate: number;
  #levels = new Uint8Array(1024);
  #samples = 0;

  /** @param sampleRate in Hz, a multiple of 100 */
  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
    this.#samplesPerPeak = Math.round(sampleRate * PEAK_SECONDS);
  }

  add(samples: Float32Array): void {
    const peaks = Math.ceil((this.#samples + samples.length) / this.#samplesPerPeak);
    if (peaks > this.#levels.length) this.#grow(peaks);
    for (const sample of samples) {
      const at = Math.floor(this.#samples++ / this.#samplesPerPeak);
      const level = Math.min(255, Math.round(Math.abs(sample) * 255));
      if (level > this.#levels[at]) this.#levels[at] = level;
    }
  }

  finish(): Peaks {
    const count = Math.ceil(this.#samples / this.#samplesPerPeak);
    return { levels: this.#levels.slice(0, count), durationSeconds: this.#samples / this.#sampleRate };
  }

  #grow(least: number): void {
    const larger = new Uint8Array(Math.max(least, 2 * this.#levels.length));
    larger.set(this.#levels);
    this.#levels = larger;
  }
}

/**
 * Returns the loudest level of each column of a drawing.
 * @param columns number of columns
 * @param fromSeconds time at the left edge
 * @param seconds length that the drawing shows
 * @returns levels 0 to 255; 0 beyond the audio
 */
export function columnLevels(
  { levels }: Peaks,
  columns: number,
  fromSeconds: number,
  seconds: number,
): Uint8Array {
  const perColumn = seconds / PEAK_SECONDS / columns;
  const first = fromSeconds / PEAK_SECONDS;
  return Uint8Array.from({ length: columns }, (_, column) => {
    const from = Math.floor(first + column * perColumn);
    const to = Math.max(from + 1, Math.floor(first + (column + 1) * perColumn));
    let loudest = 0;
    for (let at = Math.max(0, from); at < Math.min(to, levels.length); at++) {
      loudest = Math.max(loudest, levels[at]);
    }
    return loudest;
  });
}
