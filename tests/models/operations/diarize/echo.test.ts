import { describe, expect, it } from 'vitest';
import { EchoFilter, EchoMeter } from '../../../../models/operations/diarize/echo.ts';

const RATE = 16_000;

/** Noise in bursts, like syllables: the same each time. */
function getBursts(seconds: number): Float32Array<ArrayBuffer> {
  let state = 1;
  return Float32Array.from({ length: seconds * RATE }, (_, at) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const isLoud = Math.floor(at / 2900) % 3 !== 0;
    return (isLoud ? 0.3 : 0.02) * (state / 2 ** 31 - 1);
  });
}

const heardAgain = (sound: Float32Array<ArrayBuffer>, delay: number, gain: number) =>
  sound.map((sample, at) => sample + gain * (sound[at - delay] ?? 0));

const find = async (sound: Float32Array<ArrayBuffer>) => {
  const meter = new EchoMeter();
  for (let at = 0; at < sound.length; at += 5000) await meter.push(sound.subarray(at, at + 5000));
  return meter.find();
};

describe('an echo', () => {
  const sound = getBursts(12);

  it.each([
    [1600, 0.3],
    [4000, 0.15],
    [6400, 0.5],
  ])('of %d samples and a gain of %d is found, and taken away', async (delay, gain) => {
    const heard = heardAgain(sound, delay, gain);
    const echo = await find(heard);
    expect(echo?.delay).toBe(delay);
    expect(Math.abs((echo?.gain ?? 0) - gain)).toBeLessThan(0.1);
    const filter = new EchoFilter({ delay, gain });
    filter.apply(heard.subarray(0, 30_000));
    filter.apply(heard.subarray(30_000));
    const error = heard.reduce((most, sample, at) => Math.max(most, Math.abs(sample - sound[at])), 0);
    expect(error).toBeLessThan(1e-5);
  });

  it('is not found where there is none, in silence, and in a second', async () => {
    expect(await find(sound)).toBeNull();
    expect(await find(new Float32Array(8 * RATE))).toBeNull();
    expect(await find(heardAgain(getBursts(1), 4000, 0.3))).toBeNull();
  });
});
