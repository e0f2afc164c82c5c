import { describe, expect, it } from 'vitest';
import { StereoIstft, StereoStft } from '../../../../models/operations/stems/stft.ts';

const SHAPE = { window: 256, hop: 64 };

/** Makes noise that is the same in each run. */
function noise(length: number, seed: number): Float32Array<ArrayBuffer> {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 31 - 1;
  });
}

/** Transforms a sound and back, in pieces of some length. */
function roundTrip(sound: readonly Float32Array<ArrayBuffer>[], piece: number): Float32Array[] {
  const [stft, istft] = [new StereoStft(SHAPE), new StereoIstft(SHAPE)];
  const length = sound[0]?.length ?? 0;
  const back: number[][] = [[], []];
  const frames = [];
  for (let at = 0; at < length; at += piece) {
    frames.push(...stft.push(sound.map((samples) => samples.subarray(at, at + piece))));
  }
  for (const frame of [...frames, ...stft.finish()]) {
    istft.push(frame).forEach((samples, channel) => {
      back[channel]?.push(...samples);
    });
  }
  return back.map((samples) => Float32Array.from(samples));
}

describe('StereoStft and StereoIstft', () => {
  it.each([
    [1000, 1000],
    [1000, 7],
    [640, 64],
    [1, 1],
    [30, 30],
  ])('return %d samples in pieces of %d to within a millionth', (length, piece) => {
    const sound = [noise(length, 1), noise(length, 2)];
    const back = roundTrip(sound, piece);
    sound.forEach((samples, channel) => {
      const returned = back[channel] as Float32Array;
      expect(returned.length).toBeGreaterThanOrEqual(length);
      expect(returned.length - length).toBeLessThan(SHAPE.hop);
      samples.forEach((sample, at) => {
        expect(Math.abs((returned[at] as number) - sample)).toBeLessThan(1e-6);
      });
    });
  });

  it('find a tone of each channel at its own bin', () => {
    const tone = (bin: number) =>
      Float32Array.from({ length: 1024 }, (_, at) => Math.cos((2 * Math.PI * bin * at) / SHAPE.window));
    const frame = new StereoStft(SHAPE).push([tone(10), tone(20)])[8] as Float32Array;
    const bins = SHAPE.window / 2 + 1;
    const power = (channel: number, bin: number) =>
      (frame[2 * channel * bins + bin] as number) ** 2 +
      (frame[(2 * channel + 1) * bins + bin] as number) ** 2;
    // The Hann window's sum is half its length, and half of that lies at the negative frequency.
    expect(power(0, 10)).toBeCloseTo(64 ** 2, 2);
    expect(power(1, 20)).toBeCloseTo(64 ** 2, 2);
    expect(power(0, 20)).toBeLessThan(1e-6);
    expect(power(1, 10)).toBeLessThan(1e-6);
  });
});
