/** Length of a step of the envelope, in seconds. */
const STEP_SECONDS = 0.01;
/** Tempos that are told apart, in beats a minute. */
const BPM = { least: 50, most: 210 } as const;
/** Tempo that listeners tap most readily, and the octaves within which they do (D. Moelants, ICMPC 2002). */
const PREFERRED = { bpm: 120, octaves: 0.9 } as const;
/** Beats over which the envelope is compared with itself, and how much each counts. */
const BEATS = [1, 0.8, 0.6, 0.6] as const;
/** Correlation over beats below which there is no beat: of noise it is near 0. */
const CERTAIN = 0.08;
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
    const [from, to] = [Math.floor(stepsOf(BPM.most)), Math.ceil(stepsOf(BPM.least))];
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
      const fit = fitOf(correlations, steps);
      const score = fit * preference(60 / (steps * STEP_SECONDS));
      if (fit > CERTAIN && score > best.score) best = { steps, score };
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

function stepsOf(bpm: number): number {
  return 60 / bpm / STEP_SECONDS;
}

function correlationAt(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let at = lag; at < values.length; at++) sum += values[at] * values[at - lag];
  return sum / Math.max(1, values.length - lag);
}

/** Averages the correlation over several beats of a length in steps, each at its nearest two steps. */
function fitOf(correlations: Float64Array, steps: number): number {
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
