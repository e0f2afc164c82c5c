// @module-tag long

import { openAsBlob } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { upscale } from '../../../models/operations/upscale/operation.ts';
import { createVideoCodec } from '../../../server/runtime/media/video-codec.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { readAudioPackets, videoFixture } from '../../support/media/videos.ts';
import { createUpscaleInference } from '../../support/models/upscale.ts';

const TRUNCATED = sharedData('data/video/mediabunny/annex-b.mp4');
const VIDEOS = ['fragmented.mp4', 'live.webm', 'odd.webm', 'rotated.mov', 'spoken.webm', 'uneven.mp4'];
const { signal } = new AbortController();

/** Enlarges a video by a stand-in. */
async function enlarged(input: Blob, output_format: 'mp4' | 'webm'): Promise<Blob> {
  const runtime = createNodeRuntime({ signal, inference: createUpscaleInference(['darkroom-fast']) });
  await upscale.quote(input, { output_format });
  const { files } = await upscale.execute(input, { output_format }, runtime);
  return files[0]?.blob ?? new Blob([]);
}

/** Reads size and times of each frame, without holding the frames. */
async function probe(input: Blob) {
  const video = await createVideoCodec().decode(input, { signal });
  const starts: number[] = [];
  let last: VideoFrame | undefined;
  for await (const frame of video.frames()) {
    starts.push(frame.timestampSeconds);
    last = frame;
  }
  const [width, height] = [last?.width ?? 0, last?.height ?? 0];
  const seconds = (last?.timestampSeconds ?? 0) + (last?.durationSeconds ?? 0);
  return { width, height, starts, seconds };
}

async function expectKept(input: Blob, output_format: 'mp4' | 'webm') {
  const result = await enlarged(input, output_format);
  const [before, after] = [await probe(input), await probe(result)];
  expect([after.width, after.height]).toEqual([before.width * 2, before.height * 2]);
  expect(after.starts).toHaveLength(before.starts.length);
  // WebM stores whole milliseconds.
  for (const [at, start] of before.starts.entries()) {
    expect(Math.abs((after.starts[at] as number) - start)).toBeLessThan(0.0011);
  }
  expect(Math.abs(after.seconds - before.seconds)).toBeLessThan(0.05);
  const [soundBefore, soundAfter] = [await readAudioPackets(input), await readAudioPackets(result)];
  expect(soundAfter.packets.length > 0).toBe(soundBefore.packets.length > 0);
}

describe('a video keeps its frames, their times, its orientation and its audio', () => {
  test.each(VIDEOS)('%s', async (name) => {
    await expectKept(await videoFixture(name), name.endsWith('.webm') ? 'webm' : 'mp4');
  });
});

const isRefused = (input: Blob) =>
  expect(enlarged(input, 'mp4')).rejects.toMatchObject({
    code: 'unprocessable',
    message: expect.stringContaining('The end of the video is missing'),
  });

test('a truncated video is refused, and its end is reported as missing', async () => {
  const whole = await videoFixture('moving.mp4');
  await isRefused(whole.slice(0, Math.floor(whole.size * 0.2)));
});

test.skipIf(TRUNCATED.isMissing)(
  TRUNCATED.titled('a truncated video of another encoder is refused'),
  async () => {
    await isRefused(await openAsBlob(TRUNCATED.path));
  },
);
