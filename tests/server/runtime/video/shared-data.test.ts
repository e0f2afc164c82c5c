import { existsSync, openAsBlob } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createVideoCodec } from '../../../../server/runtime/video/index.ts';
import { SHARED_VIDEO } from '../../../support/media/videos.ts';

const IS_THERE = existsSync(SHARED_VIDEO);
const TITLE = IS_THERE ? 'shared videos' : `shared videos (not applicable: no data at ${SHARED_VIDEO})`;

/** Files from other encoders; decode.test.ts does the same with small files of our own. */
describe.skipIf(!IS_THERE)(TITLE, { timeout: 120_000 }, () => {
  const open = async (name: string) => {
    const file = await openAsBlob(resolve(SHARED_VIDEO, name));
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
