import { Fft, hannWindow } from '../../kernels/audio/fft.ts';
import { correlation } from '../../kernels/statistics.ts';

/** Length of a step of the envelope, in seconds. */
const STEP_SECONDS = 0.01;
/** Tempos that are told apart, in beats a minute. */
const BPM = { least: 50, most: 210 } as const;
/** Tempo that listeners tap most readily, and the octaves within which they do (D. Moelants, ICMPC 2002). */
const PREFERRED = { bpm: 120, octaves: 0.9 } as const;
/** Beats over which the envelope is compared with itself, and how much each counts. */
const BEATS = [1, 0.8, 0.6, 0.6] as const;
/** Correlation over beats below which there is no beat: of noise it is near 0. */
const CERTAIN_BEATS = 0.08;
/** Envelope that is kept, in steps: half an hour. A longer song is judged by its beginning. */
const STEPS_MAX = 180_000;

/**
 * Finds the tempo of a song by the autocorrelation of the rises of its loudness, weighted by how readily a tempo is
 * tapped (D. P. W. Ellis, "Beat tracking by dynamic programming", Journal of New Music Research 36, 2007).
 */
export class TempoMeter {
  readonly #samplesPerStep: number;
  readonly #envelope: number[] = [];
  #energy = 0;
  #count = 0;

  /** @param sampleRate in Hz */
  constructor(sampleRate: number) {
    this.#samplesPerStep = Math.round(sampleRate * STEP_SECONDS);
  }

  /** @param sample of all channels together */
  add(sample: number): void {
    this.#energy += sample * sample;
    if (++this.#count < this.#samplesPerStep) return;
    if (this.#envelope.length < STEPS_MAX) {
      this.#envelope.push(Math.log(this.#energy / this.#samplesPerStep + FLOOR));
    }
    [this.#energy, this.#count] = [0, 0];
  }

  /** Returns the tempo in beats a minute; null where there is no beat. */
  finish(): number | null {
    const rises = this.#rises();
    const [from, to] = [Math.floor(getSteps(BPM.most)), Math.ceil(getSteps(BPM.least))];
    if (rises.length < 4 * to) return null;
    const power = correlationAt(rises, 0);
    if (power <= 0) return null;
    const longest = to * BEATS.length;
    const correlations = Float64Array.from(
      { length: longest + 2 },
      (_, lag) => correlationAt(rises, lag) / power,
    );
    let best = { steps: 0, score: 0 };
    for (let tenths = from * 10; tenths <= to * 10; tenths++) {
      const steps = tenths / 10;
      const fit = getFit(correlations, steps);
      const score = fit * preference(60 / (steps * STEP_SECONDS));
      if (fit > CERTAIN_BEATS && score > best.score) best = { steps, score };
    }
    return best.steps > 0 ? 60 / (best.steps * STEP_SECONDS) : null;
  }

  /** Returns how much each step is louder than the one before, less their mean. */
  #rises(): Float64Array {
    const envelope = this.#envelope;
    const rises = Float64Array.from(envelope, (value, at) =>
      Math.max(0, value - (envelope[at - 1] ?? value)),
    );
    const mean = rises.reduce((sum, value) => sum + value, 0) / Math.max(1, rises.length);
    return rises.map((value) => value - mean);
  }
}

/** Power of silence: rises out of it do not outweigh the beat. */
const FLOOR = 1e-5;
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

/**
 * Profiles of the major and the minor key of C: how well each pitch class fits (C. L. Krumhansl, E. J. Kessler,
 * Psychological Review 89, 1982).
 */
const PROFILES = {
  major: [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
  minor: [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
} as const;

const NAMES = ['C', 'D♭', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B'] as const;
/** Correlation below which no key is named: of noise it is about 0.3. */
const CERTAIN = 0.55;

/**
 * Finds the key whose profile correlates best with pitch classes (C. L. Krumhansl, Cognitive Foundations of Musical
 * Pitch, 1990, chapter 4).
 * @param chroma share of each pitch class, from C on
 * @returns such as `A minor`; null where none fits
 */
export function findKey(chroma: readonly number[]): string | null {
  let best = { name: '', fit: CERTAIN };
  for (const [mode, profile] of Object.entries(PROFILES)) {
    for (const [tonic, name] of NAMES.entries()) {
      const fit = correlation(
        chroma,
        profile.map((_, at) => profile[(at - tonic + 12) % 12]),
        0,
      );
      if (fit > best.fit) best = { name: `${name} ${mode}`, fit };
    }
  }
  return best.name || null;
}

/** Returns the pitch class of a frequency in Hz, 0 for C; -1 outside of the notes that count. */
function pitchClass(hertz: number): number {
  const note = Math.round(CONCERT_A.note + 12 * Math.log2(hertz / CONCERT_A.hertz));
  return note >= NOTES.first && note <= NOTES.last ? note % 12 : -1;
}

function getSteps(bpm: number): number {
  return 60 / bpm / STEP_SECONDS;
}

function correlationAt(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let at = lag; at < values.length; at++) sum += values[at] * values[at - lag];
  return sum / Math.max(1, values.length - lag);
}

/** Averages the correlation over several beats of a length in steps, each at its nearest two steps. */
function getFit(correlations: Float64Array, steps: number): number {
  let [sum, weights] = [0, 0];
  for (const [at, weight] of BEATS.entries()) {
    const lag = steps * (at + 1);
    const below = Math.floor(lag);
    const share = lag - below;
    const [low, high] = [correlations[below], correlations[below + 1]];
    sum += weight * (low + share * (high - low));
    weights += weight;
  }
  return sum / weights;
}

function preference(bpm: number): number {
  return Math.exp(-0.5 * (Math.log2(bpm / PREFERRED.bpm) / PREFERRED.octaves) ** 2);
}
