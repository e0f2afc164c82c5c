import { openAsBlob } from 'node:fs';
import { type AudioFormat, getFrameCount, type PcmChunk } from '../../../models/core/runtime/audio-codec.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { collectGarbage } from './collect-garbage.ts';
import { readPeakBytes } from './memory.ts';

/** Rare enough to cost little. */
const SECONDS_PER_COLLECTION = 30;

/**
 * Process that re-encodes the audio of a file and reports its length, its peak memory, and what it retained:
 * `<path> <folder> <format> <rate>`. It measures the latter after collections of garbage at fixed places of the audio,
 * because the peak depends on when V8 collects by itself.
 */
const [, , path = '', scratchDirectory = '', format = 'wav', rate = '16000'] = process.argv;
const { signal } = new AbortController();
const { audio: codec } = createNodeRuntime({ signal, scratchDirectory });
const shape = { sampleRate: Number(rate), channelCount: 1, signal } as const;
const live: number[] = [];
const resident: number[] = [];
const audio = await codec.decode(await openAsBlob(path), shape);
const written = await codec.encode(measured(audio.chunks()), { ...shape, format: format as AudioFormat });
measure();
const { durationSeconds } = await codec.probe(written, {});
const bytesMax = await readPeakBytes(process.pid);
const retained = { liveBytes: Math.max(...live), residentBytes: settled(resident) };
process.stdout.write(JSON.stringify({ durationSeconds, bytesMax, ...retained }));

async function* measured(chunks: AsyncIterable<PcmChunk>): AsyncGenerator<PcmChunk> {
  let frameCount = 0;
  for await (const chunk of chunks) {
    frameCount += getFrameCount(chunk);
    yield chunk;
    if (frameCount < SECONDS_PER_COLLECTION * shape.sampleRate) continue;
    frameCount = 0;
    measure();
  }
}

function measure(): void {
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  live.push(heapUsed + external);
  resident.push(rss);
}

/** Returns the median of the later half: the allocator keeps single peaks, and a leak raises all that follow. */
function settled(values: readonly number[]): number {
  const later = values.slice(values.length >> 1).toSorted((a, b) => a - b);
  return later[later.length >> 1] ?? Number.NaN;
}
