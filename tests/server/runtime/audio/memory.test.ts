// @module-tag long

import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateTone } from '../../../../lab/fixtures/audio-pattern.ts';
import { int16Samples, writeWavHeader } from '../../../../models/media/audio/write-audio.ts';

const PROGRAM = 'tests/support/processes/transcode-audio-process.ts';
const RATE = 8000;
/** Allowances for compiled code and for memory that the allocator keeps. The longer file has more of anything. */
const GROWTH_BYTES_MAX = { live: 8_000_000, resident: 25_000_000 };
const BYTES_MAX = 330_000_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audio-memory-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a WAV file to the disk, one minute at a time. */
async function writeLongWav(minutes: number): Promise<string> {
  const minute = int16Samples([generateTone(0, RATE, 60)]);
  const path = join(folder, `${minutes}.wav`);
  const format = { sampleRate: RATE, channelCount: 1 };
  const parts = [
    writeWavHeader(format, minute.length * minutes),
    ...Array.from({ length: minutes }, () => minute),
  ];
  await pipeline(Readable.from(parts), createWriteStream(path));
  return path;
}

async function transcode(minutes: number, format: string, rate: number) {
  const args = [PROGRAM, await writeLongWav(minutes), folder, format, String(rate)];
  // As the runner's children collect garbage.
  const flags = ['--single-threaded-gc', '--import', 'tsx'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...args]);
  const { durationSeconds, ...memory } = JSON.parse(stdout) as Record<
    'durationSeconds' | 'bytesMax' | 'liveBytes' | 'residentBytes',
    number
  >;
  expect(durationSeconds).toBeCloseTo(minutes * 60, 6);
  return memory;
}

describe('memory does not grow with the duration', () => {
  test.each([
    ['wav', 16_000],
    ['mp3', 32_000],
  ])('as %s at %i Hz: 5 minutes and 15', { timeout: 300_000 }, async (format, rate) => {
    const short = await transcode(5, format, rate);
    const long = await transcode(15, format, rate);
    const inputBytesMore = 10 * 60 * RATE * Int16Array.BYTES_PER_ELEMENT;
    expect(inputBytesMore).toBeGreaterThan(GROWTH_BYTES_MAX.live);
    const sampleBytesMore = 10 * 60 * rate * Float32Array.BYTES_PER_ELEMENT;
    expect(sampleBytesMore).toBeGreaterThan(1.5 * GROWTH_BYTES_MAX.resident);
    expect(long.bytesMax).toBeLessThan(BYTES_MAX);
    expect(long.liveBytes - short.liveBytes).toBeLessThan(GROWTH_BYTES_MAX.live);
    expect(long.residentBytes - short.residentBytes).toBeLessThan(GROWTH_BYTES_MAX.resident);
  });
});
