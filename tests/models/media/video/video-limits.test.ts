import { describe, expect, test } from 'vitest';
import {
  billedVideoSeconds,
  describeVideoLimits,
  probeLimitedVideo,
  type VideoLimits,
  videoRunSecondsMax,
} from '../../../../models/media/video/video-limits.ts';
import { videoFixture } from '../../../support/media/videos.ts';

/** Facts of `moving.mp4`: 12 frames in 0.48 seconds. */
const LIMITS: VideoLimits = { bytesMax: 200_000_000, secondsMax: 0.48, sideMax: 64, frameRateMax: 25 };

const probe = async (limits: Partial<VideoLimits>) =>
  probeLimitedVideo(await videoFixture('moving.mp4'), { ...LIMITS, ...limits });

describe('the limits of an operation for videos', () => {
  test('accept a video exactly at the limits', async () => {
    expect(await probe({})).toMatchObject({ width: 64, height: 48, frameCount: 12 });
  });

  test.each([
    [{ secondsMax: 0.3 }, 'The video lasts 0.5 seconds. At most 0.3 are allowed.'],
    [{ sideMax: 63 }, 'The video has 64 x 48 pixels. At most 63 per side are allowed.'],
    [{ frameRateMax: 20 }, 'The video has more than 20 frames per second.'],
  ])('reject a video above %o', async (limits, message) => {
    await expect(probe(limits)).rejects.toMatchObject({ code: 'bad_request', message });
  });

  test('have readable messages', () => {
    expect(describeVideoLimits({ ...LIMITS, secondsMax: 60 })).toBe(
      'an MP4, MOV, WebM or MKV video of at most 200 MB, 60 seconds, 25 frames per second and 64 pixels per side',
    );
  });
});

test.each([
  [0.01, 1],
  [1.05, 1],
  [1.2, 2],
  [60.05, 60],
])('%d seconds count as %d started seconds', (durationSeconds, seconds) => {
  expect(billedVideoSeconds({ durationSeconds })).toBe(seconds);
  expect(videoRunSecondsMax({ durationSeconds }, { base: 5, perSecond: 7 })).toBe(5 + 7 * seconds);
});
