import { expect, test } from 'vitest';
import { groupResults } from '../../../app/(tools)/recent/group-results.ts';
import type { RecentResult } from '../../../app/studio/runs/stored-results.ts';
import type { OperationId } from '../../../models/registry.ts';

let id = 0;

function stored(
  name: string,
  job?: string,
  source = 'song.mp3',
  operationId: OperationId = 'audio-separate-stems',
): RecentResult {
  const origin = job === undefined ? undefined : { job, source, operationId };
  return { id: ++id, name, blob: new Blob([]), madeAtMs: 1000 - id, origin };
}

const RESULTS = [
  stored('song-vocals.wav', 'b'),
  stored('holiday.avif', 'a', 'holiday.jpg', 'media-convert-image'),
  stored('song-drums.wav', 'b'),
  stored('beach.avif', 'a', 'beach.jpg', 'media-convert-image'),
  stored('old.png'),
];

const show = (query: string) =>
  groupResults(RESULTS, query).map(({ tool, sources, results }) => [
    tool,
    sources,
    results.map(({ name }) => name),
  ]);

test('results are grouped by their jobs, the newest first, and older ones without a job are alone', () => {
  expect(show('')).toEqual([
    ['Split stems', ['song.mp3'], ['song-vocals.wav', 'song-drums.wav']],
    ['Convert images', ['holiday.jpg', 'beach.jpg'], ['holiday.avif', 'beach.avif']],
    [undefined, [], ['old.png']],
  ]);
});

test('a search finds results by their names, sources and tools', () => {
  expect(show(' DRUMS ')).toEqual([['Split stems', ['song.mp3'], ['song-drums.wav']]]);
  expect(show('beach.jpg')).toEqual([['Convert images', ['beach.jpg'], ['beach.avif']]]);
  expect(show('split')).toHaveLength(1);
  expect(show('nothing')).toEqual([]);
});
