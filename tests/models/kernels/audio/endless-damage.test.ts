import { expect, test } from 'vitest';
import type { PcmPiece } from '../../../../models/core/runtime/audio-codec.ts';
import { shapePcm } from '../../../../models/kernels/audio/shape-pcm.ts';
import { damagedSilence, silenceBursts } from '../../../../models/kernels/audio/silence.ts';

const RATE = 8000;
const END_SECONDS = 60;
/** Time of a packet that a hostile file states: 2000 years. */
const FAR_SECONDS = 6e10;

test('damage that lasts longer than the audio ends with it', async () => {
  const good: PcmPiece = {
    timestampSeconds: 0,
    sampleRate: RATE,
    channels: [new Float32Array(RATE).fill(0.5)],
  };
  async function* pieces(): AsyncGenerator<PcmPiece> {
    yield good;
    yield* damagedSilence(good, 1, FAR_SECONDS);
  }
  const damage: (readonly [number, number])[] = [];
  let frames = 0;
  const shaped = shapePcm(pieces(), {
    sampleRate: RATE,
    channelCount: 1,
    durationSeconds: END_SECONDS,
    endSeconds: END_SECONDS,
    signal: new AbortController().signal,
    onCutOff: () => {},
    onDamage: (start, end) => damage.push([start, end]),
  });
  for await (const [samples] of shaped) frames += samples?.length ?? 0;
  expect(frames).toBe(END_SECONDS * RATE);
  expect(damage[0]?.[0]).toBe(1);
  expect(damage.at(-1)?.[1]).toBe(END_SECONDS);
});

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

test('hours of damage are passed on as they come, not held until the next sound', async () => {
  const getPiece = (at: number, isDamaged: boolean): PcmPiece => ({
    timestampSeconds: at / 10,
    sampleRate: RATE,
    channels: [new Float32Array(RATE / 10).fill(isDamaged ? 0 : 0.5)],
    isDamaged,
  });
  let [given, heard, most] = [0, 0, 0];
  async function* pieces(): AsyncGenerator<PcmPiece> {
    for (let at = 0; at < 10 * END_SECONDS; at++, given++) {
      most = Math.max(most, given - (10 * heard) / RATE);
      yield getPiece(at, at > 0 && at < 10 * END_SECONDS - 1);
    }
  }
  const shaped = shapePcm(pieces(), {
    sampleRate: RATE,
    channelCount: 1,
    durationSeconds: END_SECONDS,
    endSeconds: END_SECONDS,
    signal: new AbortController().signal,
    onCutOff: () => {},
    onDamage: () => {},
  });
  for await (const [samples] of shaped) heard += samples?.length ?? 0;
  expect(heard).toBe(END_SECONDS * RATE);
  // A second of damage, and a block of 65,536 frames.
  expect(most).toBeLessThan(10 * (1 + 65_536 / RATE) + 2);
});
