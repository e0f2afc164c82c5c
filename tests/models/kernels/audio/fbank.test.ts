import { describe, expect, it } from 'vitest';
import { Fft } from '../../../../models/kernels/audio/fft.ts';
import { FBANK_BANDS, FBANK_FRAME, FBANK_HOP, Fbank } from '../../../../models/operations/diarize/fbank.ts';

const RATE = 16_000;

function tone(hertz: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, at) => 0.3 * Math.sin((2 * Math.PI * hertz * at) / RATE));
}

/**
 * Bands 0, 10, 25, 40, 60 and 79 of frames 0, 3 and 5 of the chirp, by `lab/training/speakers/fbank.py`, and the same by
 * Kaldi's filter bank in another program: `spectrogram` of transformers 5.18.
 */
const EXPECTED = [
  [12.4251, 22.3455, 11.5537, 11.9343, 13.6431, 12.3236],
  [13.3457, 12.6003, 13.0823, 12.7764, 13.9271, 11.4077],
  [12.0493, 12.7784, 13.0215, 12.5822, 13.7175, 12.3289],
];

/** Centre of a band on Kaldi's mel scale, in Hz. */
function getCentre(band: number): number {
  const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700);
  const step = (mel(RATE / 2) - mel(20)) / (FBANK_BANDS + 1);
  return 700 * (Math.exp((mel(20) + (band + 1) * step) / 1127) - 1);
}

describe('Fft', () => {
  it('agrees with the definition of the transform', () => {
    const size = 64;
    const real = Float64Array.from({ length: size }, (_, at) => Math.sin(at * at));
    const imaginary = Float64Array.from({ length: size }, (_, at) => Math.cos(3 * at));
    const [re, im] = [real.slice(), imaginary.slice()];
    new Fft(size).transform(re, im);
    for (let bin = 0; bin < size; bin++) {
      let [sumRe, sumIm] = [0, 0];
      for (let at = 0; at < size; at++) {
        const angle = (-2 * Math.PI * bin * at) / size;
        sumRe += (real[at] as number) * Math.cos(angle) - (imaginary[at] as number) * Math.sin(angle);
        sumIm += (real[at] as number) * Math.sin(angle) + (imaginary[at] as number) * Math.cos(angle);
      }
      expect(re[bin]).toBeCloseTo(sumRe, 9);
      expect(im[bin]).toBeCloseTo(sumIm, 9);
    }
  });
});

describe('Fbank', () => {
  it('has the values that the training computes', () => {
    const chirp = Float32Array.from({ length: 1200 }, (_, at) => {
      const time = at / RATE;
      return (
        0.3 * Math.sin(2 * Math.PI * (300 + 2000 * time) * time) + 0.05 * Math.cos(2 * Math.PI * 5000 * time)
      );
    });
    const frames = new Fbank().push(chirp);
    expect(frames).toHaveLength(6);
    const bands = [0, 10, 25, 40, 60, 79];
    EXPECTED.forEach((values, at) => {
      const frame = frames[[0, 3, 5][at] as number];
      bands.forEach((band, column) => {
        expect(frame?.[band]).toBeCloseTo(values[column] as number, 3);
      });
    });
  });

  it.each([10, 40, 70])('peaks at band %d for its centre frequency', (band) => {
    const [frame] = new Fbank().push(tone(getCentre(band), FBANK_FRAME));
    expect(frame?.indexOf(Math.max(...frame))).toBe(band);
  });

  it('gives the same frames for any division into chunks', () => {
    const samples = tone(440, FBANK_FRAME + 7 * FBANK_HOP);
    const whole = new Fbank().push(samples);
    const parts = new Fbank();
    const pieces = [0, 1, 399, 400, 977, samples.length];
    const joined = pieces.slice(1).flatMap((end, at) => parts.push(samples.subarray(pieces[at], end)));
    expect(whole).toHaveLength(8);
    expect(joined).toEqual(whole);
  });

  it('floors silence at the logarithm of the machine epsilon', () => {
    const [frame] = new Fbank().push(new Float32Array(FBANK_FRAME));
    expect(frame?.every((value) => Math.abs(value - Math.log(2 ** -23)) < 1e-5)).toBe(true);
  });
});
