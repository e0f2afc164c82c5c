import { expect, it } from 'vitest';
import { assignParts, joinParts } from '../../../../models/operations/diarize/assign-speakers.ts';
import { EMBEDDING_LENGTH } from '../../../../models/operations/diarize/speaker-embeddings.ts';
import { speechWindows, withWindows } from '../../../../models/operations/diarize/speech-windows.ts';

const { signal } = new AbortController();

/** Makes speech of one part of the sound, whose windows have one embedding before a time and another from it on. */
function part(channel: 'left' | 'right', start: number, end: number, changeSeconds = end) {
  const [spoken] = withWindows([{ channel, regions: [{ start, end }] }]);
  if (!spoken) throw new Error('the speech is too short');
  const embeddings = new Float32Array(spoken.windows.length * EMBEDDING_LENGTH);
  spoken.windows.forEach(({ first, end: last }, at) => {
    const isBefore = (first + last) / 2 < changeSeconds * 100;
    embeddings[at * EMBEDDING_LENGTH + (isBefore ? 0 : 1)] = 1;
  });
  return { ...spoken, embeddings };
}

it('joins the speakers of two channels, of which none is in both', async () => {
  const turns = joinParts(await assignParts([part('left', 5, 30), part('right', 1, 4)], signal));
  expect(turns).toEqual([
    { speaker: 0, start: 1, end: 4 },
    { speaker: 1, start: 5, end: 30 },
  ]);
});

it('gives further speakers to the channel in which they fit best', async () => {
  const parts = [part('left', 0, 20), part('right', 21, 41, 31)];
  const assigned = await assignParts(parts, signal, 3);
  const counts = assigned.map((turns) => new Set(turns.map(({ speaker }) => speaker)).size);
  expect(counts).toEqual([1, 2]);
});

it('gives all turns to one speaker who is known to be alone', async () => {
  const turns = joinParts(await assignParts([part('left', 5, 30), part('right', 1, 8)], signal, 1), 1);
  expect(turns).toEqual([{ speaker: 0, start: 1, end: 30 }]);
});

it('leaves out channels with too little speech for a window', () => {
  expect(withWindows([{ channel: 'left', regions: [{ start: 1, end: 1.2 }] }])).toEqual([]);
});

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
