import { expect, it } from 'vitest';
import { speechWindows } from '../../../models/audio-diarize/speech-windows.ts';

it.each([
  [0.3, []],
  [0.5, [[100, 150]]],
  // A short turn counts as one whether it lasts a little less than a window or a little more.
  [
    1.9,
    [
      [100, 252],
      [138, 290],
    ],
  ],
  [
    2.1,
    [
      [100, 300],
      [110, 310],
    ],
  ],
  [
    3,
    [
      [100, 300],
      [150, 350],
      [200, 400],
    ],
  ],
])('speechWindows: speech of %d s has windows of %j', (seconds, frames) => {
  const windows = speechWindows([{ start: 1, end: 1 + seconds }]);
  expect(windows.map(({ first, end }) => [first, end])).toEqual(frames);
});
