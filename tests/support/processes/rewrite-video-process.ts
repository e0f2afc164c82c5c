import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { createVideoCodec } from '../../../server/runtime/media/video-codec.ts';
import { readPeakBytes } from './memory.ts';

/** Process that writes a video, reads it back and reports its peak memory: `<frames> <side>`. */
const [frames, side] = process.argv.slice(2).map(Number) as [number, number];
const codec = createVideoCodec();
const { signal } = new AbortController();

async function* still(): AsyncGenerator<VideoFrame> {
  for (let index = 0; index < frames; index++) {
    const data = new Uint8Array(side * side * 4).fill((index * 7) % 256);
    yield { width: side, height: side, data, timestampSeconds: index / 25, durationSeconds: 1 / 25 };
  }
}

const options = { format: 'mp4', alpha: false, frameRate: 25, soundFrom: null, signal } as const;
const { blob } = await codec.encode(still(), options);
let count = 0;
for await (const _ of (await codec.decode(blob, { signal })).frames()) count += 1;
process.stdout.write(JSON.stringify({ count, bytesMax: await readPeakBytes(process.pid) }));
