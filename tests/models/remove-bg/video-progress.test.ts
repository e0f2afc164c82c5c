import { expect, test } from 'vitest';
import { videoProgress } from '../../../models/remove-bg/video-progress.ts';
import type { Count } from '../../../models/runtime.ts';

const frameAt = (index: number) => ({ timestampSeconds: index * 0.25, durationSeconds: 0.25 });

/** What is told of the first frames of a video of four. */
function told(header: { frameCount: number | null; isFrameCountExact: boolean }, frames = 4) {
  const reached: [number, Count | undefined][] = [];
  const done = videoProgress({ durationSeconds: 1 }, header, (...report) =>
    reached.push(report as [number, Count]),
  );
  for (let index = 0; index < frames; index++) done(frameAt(index));
  return reached;
}

test('frames are counted against what the header has counted', () => {
  const reached = told({ frameCount: 4, isFrameCountExact: true });
  expect(reached.map(([fraction]) => fraction)).toEqual([0.25, 0.5, 0.75, 1]);
  expect(reached[1]?.[1]).toEqual({ done: 2, total: 4, isGuess: false, unit: 'frame' });
});

test('a total that was not counted is called a guess', () => {
  expect(told({ frameCount: 5, isFrameCountExact: false })[2]?.[1]).toMatchObject({
    total: 5,
    isGuess: true,
  });
});

test('without one in the header, the total is guessed from the frames that have come', () => {
  const reached = told({ frameCount: null, isFrameCountExact: false });
  expect(reached.map(([, count]) => [count?.done, count?.total])).toEqual(
    [1, 2, 3, 4].map((done) => [done, 4]),
  );
});

test('there are never more done than there are', () => {
  const last = told({ frameCount: 3, isFrameCountExact: false }).at(-1);
  expect(last?.[1]).toMatchObject({ done: 4, total: 4 });
});
