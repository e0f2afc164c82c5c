// @module-tag long

import { openAsBlob } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createVideoCodec } from '../../../../server/runtime/media/video-codec.ts';
import { sharedData } from '../../../support/media/shared-data.ts';

const SHARED = sharedData('data/video/mediabunny');

/** Files from other encoders. The twin is decode.test.ts, with small files of our own. */
describe.skipIf(SHARED.isMissing)(SHARED.titled('videos of other encoders'), { timeout: 120_000 }, () => {
  const open = async (name: string) => {
    const file = await openAsBlob(resolve(SHARED.path, name));
    return createVideoCodec().decode(file, { signal: new AbortController().signal });
  };

  test.each([
    ['video.mp4', 1920, 1080, 125],
    ['edts.mp4', 854, 480, 225],
    ['frames.webm', 1080, 1080, 100],
  ])('%s has all its frames, in order', async (name, width, height, count) => {
    const video = await open(name);
    expect([video.width, video.height]).toEqual([width, height]);
    let [frames, lastSeconds] = [0, -1];
    for await (const { timestampSeconds } of video.frames()) {
      expect(timestampSeconds).toBeGreaterThan(lastSeconds);
      lastSeconds = timestampSeconds;
      frames += 1;
    }
    expect(frames).toBe(count);
  });

  test('annex-b.mp4 is truncated, which is reported', async () => {
    const read = async () => {
      for await (const _ of (await open('annex-b.mp4')).frames());
    };
    await expect(read()).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('The end of the video is missing'),
    });
  });
});
