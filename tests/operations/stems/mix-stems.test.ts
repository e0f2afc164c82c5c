import { expect, it } from 'vitest';
import type { PcmChunk } from '../../../models/core/runtime/audio-codec.ts';
import { sumStems } from '../../../models/operations/stems/mix-stems.ts';

const stereo = (...samples: number[]): PcmChunk => [
  Float32Array.from(samples),
  Float32Array.from(samples, (each) => -each),
];

async function* chunks(...all: PcmChunk[]): AsyncGenerator<PcmChunk> {
  yield* all;
}

async function getSum(sounds: readonly AsyncIterable<PcmChunk>[], gains: readonly number[]) {
  const sum: number[][] = [[], []];
  for await (const chunk of sumStems(sounds, gains)) {
    for (const [channel, samples] of chunk.entries()) sum[channel]?.push(...samples);
  }
  return sum;
}

it('adds sounds up sample by sample, however they are cut', async () => {
  const sounds = [chunks(stereo(1, 2), stereo(3)), chunks(stereo(4), stereo(), stereo(5, 6))];
  expect(await getSum(sounds, [1, 0.5])).toEqual([
    [3, 4.5, 6],
    [-3, -4.5, -6],
  ]);
});

it('continues with silence where a sound is shorter', async () => {
  expect((await getSum([chunks(stereo(1)), chunks(stereo(1, 1))], [1, 1]))[0]).toEqual([2, 1]);
});

it('closes all sounds when the reader stops', async () => {
  let closed = 0;
  async function* endless(): AsyncGenerator<PcmChunk> {
    try {
      for (;;) yield stereo(0);
    } finally {
      closed++;
    }
  }
  for await (const _ of sumStems([endless(), endless()], [1, 1])) break;
  expect(closed).toBe(2);
});
