import { describe, expect, it } from 'vitest';
import { fitsMemory } from '../../../app/studio/sound/decoded-size.ts';
import { positionAfter } from '../../../app/studio/sound/time-range.ts';
import {
  formatDecibels,
  getGains,
  getSetting,
  initialMix,
  withPart,
  withSetting,
} from '../../../app/studio/stems/mix.ts';

const STEMS = ['vocals', 'drums', 'bass'];
const NEW = initialMix('run');

describe('gains of a mix', () => {
  it('leave stems as they came', () => {
    expect(getGains(NEW, STEMS)).toEqual([1, 1, 1]);
  });

  it('follow decibels and mutes', () => {
    const mix = withSetting(withSetting(NEW, 'vocals', { gainDb: -20 }), 'bass', { isMuted: true });
    expect(getGains(mix, STEMS)).toEqual([expect.closeTo(0.1, 9), 1, 0]);
  });

  it('silence all others during a solo, and a solo that is muted', () => {
    const alone = withSetting(NEW, 'drums', { isSolo: true });
    expect(getGains(alone, STEMS)).toEqual([0, 1, 0]);
    expect(getGains(withSetting(alone, 'drums', { isMuted: true }), STEMS)).toEqual([0, 0, 0]);
  });
});

it('a change of one stem leaves the others', () => {
  const mix = withSetting(withSetting(NEW, 'vocals', { gainDb: 3 }), 'vocals', { isMuted: true });
  expect(getSetting(mix, 'vocals')).toEqual({ gainDb: 3, isMuted: true, isSolo: false });
  expect(getSetting(mix, 'drums')).toEqual({ gainDb: 0, isMuted: false, isSolo: false });
});

it('words gains with a sign', () => {
  expect([-1.5, 0, 6].map(formatDecibels)).toEqual(['−1.5 dB', '0.0 dB', '+6.0 dB']);
});

describe('a loop', () => {
  it('lies within the sound, and is long enough to hear', () => {
    expect(withPart(NEW, { start: -1, end: 99 }, 10)).toMatchObject({
      part: { start: 0, end: 10 },
      isLooping: true,
    });
    const short = withPart(NEW, { start: 4, end: 3 }, 10).part;
    expect([short?.start, short?.end]).toEqual([4, expect.closeTo(4.1, 9)]);
    expect(withPart(NEW, { start: 10, end: 10 }, 10).part?.start).toBeCloseTo(9.9, 9);
  });

  it('repeats from its end, however often', () => {
    const part = { start: 2, end: 5 };
    expect([1, 3.5, 4, 7, 10.5].map((elapsed) => positionAfter(elapsed, 1, part))).toEqual([
      2, 4.5, 2, 2, 2.5,
    ]);
  });

  it('is passed by once the mix plays behind it, and does not begin before the sound', () => {
    expect(positionAfter(1, 6, { start: 2, end: 5 })).toBe(7);
    expect(positionAfter(-0.02, 3, undefined)).toBe(3);
  });
});

it('holds a song in memory, and streams what is too long', () => {
  expect(fitsMemory(4, 300, 44_100, 8)).toBe(true);
  expect(fitsMemory(4, 300, 44_100, 2)).toBe(false);
  expect(fitsMemory(4, 4 * 3600, 44_100, undefined)).toBe(false);
});
