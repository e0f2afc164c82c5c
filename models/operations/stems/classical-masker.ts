import { medianAlongColumns, medianAlongRows } from './kernels/median-filter.ts';
import { binCount, type StereoFrame } from './kernels/stft.ts';
import type { Masks } from './kernels/wiener.ts';
import type { Masker } from './masked-stems.ts';
import { repeatingPowers } from './repetition.ts';
import { STEM_RATE, type StemCount } from './stems.ts';

const SHAPE = { window: 4096, hop: 1024 };
const BINS = binCount(SHAPE);
const HERTZ = STEM_RATE / SHAPE.window;
const FRAMES = 384;
const OVERLAP = 64;
/** Neighbours of a median: 0.4 s along time, 180 Hz along frequency. */
const TIME_REACH = 8;
const FREQUENCY_REACH = 8;
/** Voices have little below, in Hz; a bass has little above. */
const VOICE_HERTZ_MIN = 110;
const BASS_HERTZ_MAX = 260;
/** Power of the likeness of both channels that counts as centre. */
const CENTRE_SHARPNESS = 4;

/**
 * Masks without a model. Drums are what lasts long in frequency and not in time: median filters, after D. FitzGerald,
 * "Harmonic/percussive separation using median filtering" (DAFx, 2010). Vocals are what lies in the centre between the
 * channels, after C. Avendano, "Frequency-domain source identification and manipulation in stereo mixes" (WASPAA,
 * 2003), and does not repeat, after Z. Rafii and B. Pardo, "Music/voice separation using the similarity matrix" (ISMIR,
 * 2012). The bass is the steady sound of the lowest partials.
 */
export class ClassicalMasker implements Masker {
  readonly shape = SHAPE;
  readonly frames = FRAMES;
  readonly overlap = OVERLAP;
  readonly #stems: StemCount;

  constructor(stems: StemCount) {
    this.#stems = stems;
  }

  masks(segment: readonly StereoFrame[]): Masks {
    const amplitudes = amplitudesOf(segment);
    const grid = { rows: segment.length, columns: BINS, values: amplitudes };
    const steady = medianAlongColumns(grid, TIME_REACH);
    const sudden = medianAlongRows(grid, FREQUENCY_REACH);
    const repeating = repeatingPowers(grid);
    const four = Array.from({ length: 4 }, () => new Float32Array(amplitudes.length));
    segment.forEach((frame, at) => {
      for (let bin = 0; bin < BINS; bin++) {
        const place = at * BINS + bin;
        const [harmonic, percussive] = [steady[place] ** 2, sudden[place] ** 2];
        const drums = percussive / (harmonic + percussive + 1e-12);
        const hertz = bin * HERTZ;
        const bass = (1 - drums) * below(hertz, BASS_HERTZ_MAX);
        const rest = 1 - drums - bass;
        const power = amplitudes[place] ** 2 + 1e-12;
        const isNew = 1 - Math.min(1, repeating[place] / power);
        const vocals = rest * centre(frame, bin) * isNew * (1 - below(hertz, VOICE_HERTZ_MIN));
        const [v, d, b, o] = four as [Float32Array, Float32Array, Float32Array, Float32Array];
        v[place] = vocals;
        d[place] = drums;
        b[place] = bass;
        o[place] = rest - vocals;
      }
    });
    return this.#stems === 'four' ? four : [four[0] as Float32Array, others(four[0] as Float32Array)];
  }
}

/** Returns 1 below a frequency, falling to 0 within an octave above. */
function below(hertz: number, edge: number): number {
  return Math.min(1, Math.max(0, 2 - hertz / edge));
}

/** Returns how alike both channels are at a bin: 1 in the centre, 0 on either side. */
function centre(frame: StereoFrame, bin: number): number {
  const [leftRe, leftIm] = [frame[bin], frame[BINS + bin]];
  const [rightRe, rightIm] = [frame[2 * BINS + bin], frame[3 * BINS + bin]];
  const both = leftRe ** 2 + leftIm ** 2 + rightRe ** 2 + rightIm ** 2;
  const likeness = (2 * (leftRe * rightRe + leftIm * rightIm)) / (both + 1e-12);
  return Math.max(0, likeness) ** CENTRE_SHARPNESS;
}

function amplitudesOf(segment: readonly StereoFrame[]): Float32Array {
  const amplitudes = new Float32Array(segment.length * BINS);
  segment.forEach((frame, at) => {
    for (let bin = 0; bin < BINS; bin++) {
      const left = frame[bin] ** 2 + frame[BINS + bin] ** 2;
      const right = frame[2 * BINS + bin] ** 2 + frame[3 * BINS + bin] ** 2;
      amplitudes[at * BINS + bin] = Math.sqrt((left + right) / 2);
    }
  });
  return amplitudes;
}

function others(mask: Float32Array): Float32Array {
  return mask.map((share) => 1 - share);
}
