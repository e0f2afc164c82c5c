import { expect, test } from 'vitest';
import { silenceBursts } from '../../../../models/kernels/audio/silence.ts';

test('pieces far over full scale, or that are no numbers, become silence that is marked', async () => {
  const getPiece = (sample: number) => ({
    timestampSeconds: 0,
    sampleRate: 48_000,
    channels: [Float32Array.of(0, sample), Float32Array.of(0, 0)],
  });
  async function* pieces() {
    yield* [1.5, -190_455, Number.NaN].map(getPiece);
  }
  const found: (readonly [number | undefined, boolean | undefined])[] = [];
  for await (const { channels, isDamaged } of silenceBursts(pieces()))
    found.push([channels[0]?.[1], isDamaged]);
  expect(found).toEqual([
    [1.5, undefined],
    [0, true],
    [0, true],
  ]);
});
