import { expect, it } from 'vitest';
import { ChannelDifference } from '../../../../models/operations/diarize/find-speech.ts';

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
