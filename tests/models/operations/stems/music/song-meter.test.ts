import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../models/operations/extend/seeded-random.ts';
import { SongMeter } from '../../../../../models/operations/stems/run.ts';

const RATE = 44_100;
const hertz = (note: number) => 440 * 2 ** ((note - 69) / 12);
/** Notes of a triad by its root. */
const major = (root: number) => [root, root + 4, root + 7];
const minor = (root: number) => [root, root + 3, root + 7];

/** Plays one chord each two beats, with a drum on each beat. */
function song(chords: readonly (readonly number[])[], bpm: number, seconds: number): Float32Array {
  const samples = new Float32Array(seconds * RATE);
  const beat = 60 / bpm;
  for (let at = 0; at < samples.length; at++) {
    const time = at / RATE;
    const chord = chords[Math.floor(time / (2 * beat)) % chords.length] ?? [];
    let sum = 0;
    for (const note of chord) {
      for (const overtone of [1, 2, 3])
        sum += Math.sin(2 * Math.PI * hertz(note) * overtone * time) / overtone;
    }
    const since = time % beat;
    samples[at] = 0.05 * sum + 0.6 * Math.exp(-since * 40) * Math.sin(2 * Math.PI * 60 * since);
  }
  return samples;
}

function measure(samples: Float32Array) {
  const meter = new SongMeter(RATE);
  for (let at = 0; at < samples.length; at += 10_000) {
    const part = samples.slice(at, at + 10_000);
    meter.add([part, part]);
  }
  return meter.finish();
}

describe('SongMeter', () => {
  test.each([
    ['C major', [major(60), major(65), major(67), major(60)], 120],
    ['A minor', [minor(57), minor(62), minor(64), minor(57)], 96],
  ] as const)('finds %s', expectKey);
  test.each([
    ['E♭ major', [major(63), major(68), major(70), major(63)], 140],
    ['F♯ minor', [minor(66), minor(59), minor(61), minor(66)], 75],
  ] as const)('finds %s', { tags: ['long'] }, expectKey);

  function expectKey(key: string, chords: Parameters<typeof song>[0], bpm: number): void {
    const found = measure(song(chords, bpm, 16));
    expect(found.key).toBe(key);
    expect(Math.abs((found.tempoBpm ?? 0) - bpm)).toBeLessThanOrEqual(1);
  }

  test('names neither for silence nor for noise', () => {
    expect(measure(new Float32Array(20 * RATE))).toEqual({ tempoBpm: null, key: null });
    const random = seededRandom(7);
    expect(measure(Float32Array.from({ length: 20 * RATE }, () => 0.3 * (random() - 0.5)))).toEqual({
      tempoBpm: null,
      key: null,
    });
  });

  test('has no tempo for a few seconds', () => {
    expect(measure(song([major(60)], 120, 2)).tempoBpm).toBeNull();
  });
});
