import { expect, test } from 'vitest';
import type { PcmChunk } from '../../../../models/core/runtime/audio-codec.ts';
import { decodeSamples, serverAudio } from '../../../support/media/audio.ts';

const { signal } = new AbortController();
const SHAPE = { sampleRate: 44_100, signal } as const;

/** Returns 16-bit noise around a tone: whole steps, full scale among them. */
function makeSamples(length: number, phase: number): Float32Array<ArrayBuffer> {
  let state = 1 + phase;
  return Float32Array.from({ length }, (_, at) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const noise = (state / 2 ** 32 - 0.5) * 2000;
    const tone = 30_000 * Math.sin((at + phase) / 40);
    return Math.max(-32_768, Math.min(32_767, Math.round(tone * 1.2 + noise))) / 32_768;
  });
}

async function* inChunks(channels: PcmChunk): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < (channels[0]?.length ?? 0); at += 3001) {
    yield channels.map((samples) => samples.slice(at, at + 3001));
  }
}

async function writeAndRead(channels: PcmChunk): Promise<Float32Array[]> {
  const channelCount = channels.length === 1 ? 1 : 2;
  const file = await serverAudio.encode(inChunks(channels), { ...SHAPE, format: 'flac', channelCount });
  expect(file.type).toBe('audio/flac');
  const facts = await serverAudio.probe(file, {});
  expect(facts).toMatchObject({ codec: 'flac', channelCount });
  expect(facts.durationSeconds).toBeCloseTo((channels[0]?.length ?? 0) / 44_100, 3);
  return await decodeSamples(file, { ...SHAPE, channelCount });
}

test.each([
  ['two different channels, with a short last block', [makeSamples(20_000, 0), makeSamples(20_000, 7)]],
  ['two equal channels', [makeSamples(9000, 3), makeSamples(9000, 3)]],
  ['opposite channels', [makeSamples(9000, 3), makeSamples(9000, 3).map((sample) => -sample * 0.5)]],
  ['one channel', [makeSamples(8192, 1)]],
  ['silence', [new Float32Array(5000), new Float32Array(5000)]],
  ['a last block of three samples', [makeSamples(4608 * 2 + 3, 2)]],
  ['sixteen samples', [makeSamples(16, 2)]],
])('a FLAC file holds %s to the last bit', async (_name, channels) => {
  const rounded = channels.map((samples) =>
    samples.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))) / 32_768),
  );
  expect(await writeAndRead(channels)).toEqual(rounded);
});

test('a FLAC file of music-like sound is smaller than its WAV, and a block has a number of several bytes', async () => {
  const length = 4096 * 140;
  const tone = Float32Array.from({ length }, (_, at) => Math.sin(at / 300) * 0.4);
  const sizes = [];
  for (const format of ['flac', 'wav'] as const) {
    const options = { ...SHAPE, format, channelCount: 2 } as const;
    sizes.push((await serverAudio.encode(inChunks([tone, tone]), options)).size);
  }
  const [flac = 0, wav = 0] = sizes;
  expect(flac).toBeLessThan(wav / 3);
  expect((await writeAndRead([tone, tone]))[0]?.length).toBe(length);
});
