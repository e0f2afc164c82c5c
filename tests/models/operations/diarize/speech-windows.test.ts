import { expect, it } from 'vitest';
import { speechWindows } from '../../../../models/operations/diarize/speech-windows.ts';

it.each([
  [0.3, []],
  [0.5, [[100, 150]]],
  // A short turn counts as one whether it lasts a little less than a window or a little more.
  [
    1.5,
    [
      [100, 220],
      [130, 250],
    ],
  ],
  [
    1.7,
    [
      [100, 260],
      [110, 270],
    ],
  ],
  [
    2.4,
    [
      [100, 260],
      [140, 300],
      [180, 340],
    ],
  ],
])('speechWindows: speech of %d s has windows of %j', (seconds, frames) => {
  const windows = speechWindows([{ start: 1, end: 1 + seconds }]);
  expect(windows.map(({ first, end }) => [first, end])).toEqual(frames);
});
