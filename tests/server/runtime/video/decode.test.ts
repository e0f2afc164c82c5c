import { describe, expect, test } from 'vitest';
import { drawMovingFrame, FRAME_SECONDS, UNEVEN_SECONDS } from '../../../../lab/fixtures/moving-pattern.ts';
import { createVideoCodec } from '../../../../server/runtime/media/video-codec.ts';
import { psnr } from '../../../support/media/images.ts';
import { decodeVideoFrames, readFrameTimes, videoFixture } from '../../../support/media/videos.ts';

const EVEN_TIMES = Array.from({ length: 12 }, (_, index) => [index * 40, FRAME_SECONDS * 1000]);
const { signal } = new AbortController();

describe('frames on the server', () => {
  test.each(['moving.mp4', 'fragmented.mp4', 'spoken.webm', 'odd.webm', 'live.webm'])(
    'of %s equal those written',
    async (name) => {
      const frames = await decodeVideoFrames(await videoFixture(name));
      expect(readFrameTimes(frames)).toEqual(EVEN_TIMES);
      for (const [index, frame] of frames.entries()) {
        expect(psnr(drawMovingFrame(frame.width, frame.height, index), frame)).toBeGreaterThan(38);
      }
    },
  );

  test('are rotated as the file says', async () => {
    const [frame] = await decodeVideoFrames(await videoFixture('rotated.mov'));
    expect([frame?.width, frame?.height]).toEqual([48, 64]);
    const [upright] = await decodeVideoFrames(await videoFixture('moving.mp4'));
    const at = (x: number, y: number) =>
      Array.from(frame?.data.subarray((y * 48 + x) * 4, (y * 48 + x) * 4 + 4) ?? []);
    // After a quarter turn clockwise the bottom left is the top left.
    expect(at(0, 0)).toEqual(Array.from(upright?.data.subarray(47 * 64 * 4, 47 * 64 * 4 + 4) ?? []));
  });

  test('keep the times of a video without a frame rate', async () => {
    const frames = await decodeVideoFrames(await videoFixture('uneven.mp4'));
    const starts = UNEVEN_SECONDS.map((_, index) =>
      Math.round(UNEVEN_SECONDS.slice(0, index).reduce((sum, seconds) => sum + seconds, 0) * 1000),
    );
    expect(readFrameTimes(frames)).toEqual(
      starts.map((start, index) => [start, (UNEVEN_SECONDS[index] ?? 0) * 1000]),
    );
  });

  test.each([
    ['uneven.mp4', UNEVEN_SECONDS.length / UNEVEN_SECONDS.reduce((sum, seconds) => sum + seconds, 0)],
    ['fragmented.mp4', 1 / FRAME_SECONDS],
  ])('of %s report their mean rate', async (name, frameRate) => {
    const video = await createVideoCodec().decode(await videoFixture(name), { signal });
    expect(video.frameRate).toBeCloseTo(frameRate, 5);
  });

  test('have the alpha of VP9', async () => {
    const frames = await decodeVideoFrames(await videoFixture('fading.webm'));
    for (const [index, frame] of frames.entries()) {
      expect(psnr(drawMovingFrame(64, 48, index, true), frame)).toBeGreaterThan(36);
    }
  });

  test('are decoded only as far as requested', async () => {
    const video = await createVideoCodec().decode(await videoFixture('moving.mp4'), { signal });
    for await (const frame of video.frames()) {
      expect(frame.timestampSeconds).toBe(0);
      break;
    }
  });

  test('end when reading is aborted', async () => {
    const controller = new AbortController();
    const video = await createVideoCodec().decode(await videoFixture('moving.mp4'), {
      signal: controller.signal,
    });
    const read = async () => {
      for await (const frame of video.frames()) if (frame.timestampSeconds > 0.1) controller.abort();
    };
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a damaged video', () => {
  const whole = async (name: string) => new Uint8Array(await (await videoFixture(name)).arrayBuffer());

  test.each(['moving.mp4', 'odd.webm'])(
    '%s with noise in its frames is rejected or decoded without a crash',
    async (name) => {
      const bytes = await whole(name);
      for (let seed = 1; seed <= 40; seed++) {
        const damaged = bytes.slice();
        for (let at = Math.floor(bytes.length * 0.2); at < bytes.length; at += 7 * seed)
          damaged[at] = (at * seed) % 256;
        const outcome = await decodeVideoFrames(new Blob([damaged])).catch((thrown) => thrown.code);
        expect(Array.isArray(outcome) || outcome === 'unprocessable').toBe(true);
      }
    },
  );

  test('that is truncated ends with the reason', async () => {
    const bytes = await whole('moving.mp4');
    await expect(decodeVideoFrames(new Blob([bytes.subarray(0, bytes.length * 0.2)]))).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('The end of the video is missing'),
    });
  });

  test('that is not a video is rejected', async () => {
    await expect(decodeVideoFrames(new Blob(['nothing of the kind']))).rejects.toMatchObject({
      code: 'unprocessable',
    });
    await expect(decodeVideoFrames(await videoFixture('tone.mkv'))).rejects.toMatchObject({
      message: expect.stringContaining('only audio'),
    });
  });
});
