import { describe, expect, it } from 'vitest';
import type { TimeSpan } from '../../../../models/kernels/audio/speech-regions.ts';
import { ChannelDifference } from '../../../../models/operations/diarize/find-speech.ts';
import { separateSides } from '../../../../models/operations/diarize/separate-sides.ts';
import { FRAME_SECONDS } from '../../../../models/operations/diarize/voice-activity.ts';

const SECONDS = 60;
const span = (start: number, end: number): TimeSpan => ({ start, end });

/** Makes a channel in which speech was found: powers are sums of what is heard at a time, above a noise of -70 dB. */
function side(regions: readonly TimeSpan[], ...heard: readonly (readonly [TimeSpan, number])[]) {
  const powers = Array.from({ length: Math.ceil(SECONDS / FRAME_SECONDS) }, (_, frame) =>
    heard.reduce((sum, [{ start, end }, decibels]) => {
      const at = frame * FRAME_SECONDS;
      return at >= start && at < end ? sum + 10 ** (decibels / 10) : sum;
    }, 1e-7),
  );
  return { regions, powers };
}

function expectSpans(found: readonly TimeSpan[] | undefined, spans: readonly TimeSpan[]): void {
  expect(found).toHaveLength(spans.length);
  spans.forEach(({ start, end }, at) => {
    expect(Math.abs((found?.[at]?.start ?? 0) - start)).toBeLessThan(0.35);
    expect(Math.abs((found?.[at]?.end ?? 0) - end)).toBeLessThan(0.35);
  });
}

const LONG = [span(1, 30), span(33, 58)] as const;
const SHORT = span(30.2, 32.8);

describe('separateSides', () => {
  it('finds the short speech of a quieter second channel, of which nothing is in the first', () => {
    const found = separateSides(side(LONG, [LONG[0], -20], [LONG[1], -20]), side([SHORT], [SHORT, -40]));
    expectSpans(found?.[0], LONG);
    expectSpans(found?.[1], [SHORT]);
  });

  it('takes the bleed of each channel out of the other', () => {
    const all = [span(1, 58)];
    const found = separateSides(
      side(all, [LONG[0], -20], [LONG[1], -20], [SHORT, -50]),
      side(all, [LONG[0], -40], [LONG[1], -40], [SHORT, -30]),
    );
    expectSpans(found?.[0], LONG);
    expectSpans(found?.[1], [SHORT]);
  });

  it('keeps what two say at once', () => {
    const second = span(27, 35);
    const found = separateSides(side([LONG[0]], [LONG[0], -20]), side([second], [second, -26]));
    expectSpans(found?.[0], [LONG[0]]);
    expectSpans(found?.[1], [second]);
  });

  it.each([
    ['two microphones hear the same', [...LONG], -22],
    ['one hears only the bleed of the other', [...LONG], -45],
    ['one hears the loudest bleed only', [span(10, 14)], -45],
    ['one hears an echo for a moment', [span(29, 30.3)], -40],
  ])('leaves channels together where %s', (_, regions, decibels) => {
    const heard = regions.map((region) => [region, decibels] as const);
    const [one, other] = [side(LONG, [LONG[0], -20], [LONG[1], -20]), side(regions, ...heard)];
    expect(separateSides(one, other)).toBeUndefined();
    expect(separateSides(other, one)).toBeUndefined();
  });

  it('leaves channels together where one or both have no speech', () => {
    expect(separateSides(side(LONG, [LONG[0], -20]), side([]))).toBeUndefined();
    expect(separateSides(side([]), side([]))).toBeUndefined();
  });
});

const RATE = 16_000;
const wave = (hertz: number, level = 0.5) =>
  Float32Array.from({ length: RATE }, (_, at) => level * Math.sin((2 * Math.PI * hertz * at) / RATE));

function differ(...channels: Float32Array<ArrayBuffer>[]): boolean {
  const difference = new ChannelDifference();
  for (let at = 0; at < RATE; at += 4000)
    difference.push(channels.map((samples) => samples.subarray(at, at + 4000)));
  return difference.isLarge;
}

it.each<[string, Float32Array<ArrayBuffer>[], boolean]>([
  ['other sounds', [wave(300), wave(500, 0.01)], true],
  ['the same sound', [wave(300), wave(300, 0.1)], false],
  ['an inverted sound', [wave(300), wave(300, -0.5)], false],
  ['a silent channel', [wave(300), new Float32Array(RATE)], false],
  ['one channel', [wave(300)], false],
])('ChannelDifference: %s', (_name, channels, isLarge) => {
  expect(differ(...channels)).toBe(isLarge);
});
