/** Poles of a Butterworth filter of fourth order, as the Q of two sections. */
const SECTION_QS = [0.541_196_1, 1.306_563];

/** Coefficients of a section, divided by the first one of the output, and its last values. */
interface Section {
  readonly b0: number;
  readonly b1: number;
  readonly a1: number;
  readonly a2: number;
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/**
 * High-pass filter of a stream: Butterworth of fourth order, -3 dB at the cutoff and 24 dB an octave below it. Its
 * sections follow R. Bristow-Johnson's Audio EQ Cookbook. It starts as if the first sample had always been, so that a
 * constant is silent from the start.
 */
export class HighPass {
  readonly #sections: readonly Section[];
  #isNew = true;

  constructor(cutoffHertz: number, sampleRate: number) {
    this.#sections = SECTION_QS.map((q) => createSection((2 * Math.PI * cutoffHertz) / sampleRate, q));
  }

  /** Filters the next samples in place. */
  apply(samples: Float32Array): void {
    const [first] = this.#sections;
    if (this.#isNew && first && samples.length > 0) {
      first.x1 = samples[0];
      first.x2 = samples[0];
      this.#isNew = false;
    }
    for (const section of this.#sections) filterBy(section, samples);
  }
}

function createSection(omega: number, q: number): Section {
  const cosine = Math.cos(omega);
  const alpha = Math.sin(omega) / (2 * q);
  const a0 = 1 + alpha;
  return {
    b0: (1 + cosine) / 2 / a0,
    b1: -(1 + cosine) / a0,
    a1: (-2 * cosine) / a0,
    a2: (1 - alpha) / a0,
    x1: 0,
    x2: 0,
    y1: 0,
    y2: 0,
  };
}

function filterBy(section: Section, samples: Float32Array): void {
  const { b0, b1, a1, a2 } = section;
  let { x1, x2, y1, y2 } = section;
  for (let at = 0; at < samples.length; at++) {
    const x = samples[at];
    const y = b0 * (x + x2) + b1 * x1 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    samples[at] = y;
  }
  Object.assign(section, { x1, x2, y1, y2 });
}
