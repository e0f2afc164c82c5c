import { openAsBlob } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drawMovingFrame } from '../../../../lab/fixtures/moving-pattern.ts';
import type { VideoFrame } from '../../../../models/core/runtime/video-codec.ts';
import { psnr } from '../../../support/media/images.ts';
import { sharedData } from '../../../support/media/shared-data.ts';
import { decodeVideoFrames, readFrameTimes, videoFixture } from '../../../support/media/videos.ts';

const TIMES = Array.from({ length: 8 }, (_, index) => [index * 40, 40]);

/** Mean difference of each row's green from that of its neighbours: what two fields in one frame show as a comb. */
function combOf({ width, height, data }: VideoFrame): number {
  let sum = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 0; x < width; x++) {
      const green = (row: number) => data[(row * width + x) * 4 + 1] ?? 0;
      sum += Math.abs(2 * green(y) - green(y - 1) - green(y + 1));
    }
  }
  return sum / (width * (height - 2));
}

describe('interlaced video', () => {
  test.each([
    'top-first.mp4',
    'bottom-first.mp4',
    'partly-interlaced.mp4',
    'top-first.mkv',
    'bottom-first.mov',
  ])('%s has whole frames, of the time of their first fields', async (name) => {
    const frames = await decodeVideoFrames(await videoFixture(name));
    expect(readFrameTimes(frames)).toEqual(TIMES);
    for (const [index, frame] of frames.entries()) {
      expect(psnr(drawMovingFrame(64, 48, 2 * index), frame)).toBeGreaterThan(36);
      expect(combOf(frame)).toBeLessThan(3);
    }
  });

  const shared = sharedData('cases/media/interlaced.mp4');
  test.skipIf(shared.isMissing)(
    shared.titled('of 25 frames a second keeps its frames'),
    { tags: ['long'] },
    async () => {
      const frames = await decodeVideoFrames(await openAsBlob(shared.path));
      expect(frames).toHaveLength(50);
      expect(frames.at(-1)).toMatchObject({ width: 176, height: 144 });
    },
  );
});
