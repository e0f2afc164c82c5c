import { expect, test } from 'vitest';
import type { Progress } from '../../../../models/core/runtime/progress.ts';
import { videoProgress } from '../../../../models/media/video/video-frames.ts';

const frameAt = (index: number) => ({ timestampSeconds: index * 0.25, durationSeconds: 0.25 });

/** Records the progress of the first frames of a video of four. */
function told(header: { frameCount: number | null; isFrameCountExact: boolean }, frames = 4) {
  const reached: Progress[] = [];
  const done = videoProgress({ durationSeconds: 1 }, header, (progress) => reached.push(progress));
  for (let index = 0; index < frames; index++) done(frameAt(index));
  return reached;
}

test('progress uses the frame count of the header', () => {
  const reached = told({ frameCount: 4, isFrameCountExact: true });
  expect(reached.map(({ fraction }) => fraction)).toEqual([0.25, 0.5, 0.75, 1]);
  expect(reached[1]?.count).toEqual({ done: 2, total: 4, isGuess: false, unit: 'frame' });
});

test('an estimated total is marked as a guess', () => {
  expect(told({ frameCount: 5, isFrameCountExact: false })[2]?.count).toMatchObject({
    total: 5,
    isGuess: true,
  });
});

test('without a count in the header, the total is estimated from the frames read', () => {
  const reached = told({ frameCount: null, isFrameCountExact: false });
  expect(reached.map(({ count }) => [count?.done, count?.total])).toEqual(
    [1, 2, 3, 4].map((done) => [done, 4]),
  );
});

test('a first frame at 0 without a duration gives no total without end', () => {
  const reached: Progress[] = [];
  const header = { frameCount: null, isFrameCountExact: false };
  const done = videoProgress({ durationSeconds: 1 }, header, (progress) => reached.push(progress));
  done({ timestampSeconds: 0, durationSeconds: 0 });
  expect(reached[0]?.count).toMatchObject({ done: 1, total: 1 });
});

test('the count never exceeds the total', () => {
  const last = told({ frameCount: 3, isFrameCountExact: false }).at(-1);
  expect(last?.count).toMatchObject({ done: 4, total: 4 });
});
