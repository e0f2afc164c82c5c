import { describe, expect, it } from 'vitest';
import { inFolders, nameResults, withUniqueNames } from '../../../app/studio/runs/result-names.ts';
import { TOOLS } from '../../../app/studio/tools/tools.ts';
import { assertFileNames } from '../../../models/core/operation/define-operation.ts';
import { OPERATION_IDS, OPERATIONS } from '../../../models/registry.ts';

const named = (...names: string[]) =>
  nameResults(
    { name: 'song.take 1.wav' },
    { files: names.map((name) => ({ name, mediaType: 'audio/mpeg', blob: new Blob([]) })) },
  ).map(({ name }) => name);

it('one result takes the name of its source; several append their own names', () => {
  expect(named('output.mp3')).toEqual(['song.take 1.mp3']);
  expect(named('vocals.mp3', 'no_vocals.mp3')).toEqual([
    'song.take 1-vocals.mp3',
    'song.take 1-no_vocals.mp3',
  ]);
});

it('a cutout is not named as its source, which it would replace', () => {
  const cutout = { name: 'output.png', mediaType: 'image/png', blob: new Blob([]) };
  const result = { files: [cutout], suffix: TOOLS['remove-bg'].suffix };
  expect(nameResults({ name: 'ball.png' }, result).map(({ name }) => name)).toEqual(['ball-cutout.png']);
});

it('names that the params ask for stay', () => {
  const files = [{ name: 'output.png', mediaType: 'image/png', blob: new Blob([]) }];
  const named = nameResults({ name: 'ball.png' }, { files, names: ['ball-300.png'], suffix: '-cutout' });
  expect(named.map(({ name }) => name)).toEqual(['ball-300.png']);
});

it.each([['../vocals.mp3'], ['a\\b.mp3'], ['vocals'], [''], ['.mp3'], ['a\nb.mp3']])(
  'a run cannot name a file %j',
  (name) => {
    expect(() => assertFileNames([{ name }])).toThrow(TypeError);
  },
);

it('a run cannot give two files the same name', () => {
  expect(() => assertFileNames([{ name: 'vocals.mp3' }, { name: 'no_vocals.mp3' }])).not.toThrow();
  expect(() => assertFileNames([{ name: 'vocals.mp3' }, { name: 'vocals.mp3' }])).toThrow(/vocals\.mp3/);
});

it.each(OPERATION_IDS)('the tool for %s accepts the media types of its input fields', (id) => {
  const media = new Set(Object.values(OPERATIONS[id].inputs).flatMap((input) => input.media));
  expect(TOOLS[id].takes.toSorted()).toEqual([...media].toSorted());
});

describe('files of a zip', () => {
  const file = (name: string) => ({ name, mediaType: 'audio/wav', blob: new Blob([]) });
  const stems = (song: string) => ({
    source: { name: `${song}.mp3` },
    results: ['vocals', 'drums'].map((stem) => ({ name: `${song}-${stem}.wav`, file: file(stem) })),
  });
  const names = (groups: Parameters<typeof inFolders>[0]) => inFolders(groups).map(({ name }) => name);

  it('are in one folder a song, and in another one for a song of the same name', () => {
    expect(names([stems('a'), stems('b'), stems('A')])).toEqual([
      'a/a-vocals.wav',
      'a/a-drums.wav',
      'b/b-vocals.wav',
      'b/b-drums.wav',
      'A-2/A-vocals.wav',
      'A-2/A-drums.wav',
    ]);
  });

  it('are in no folder where there is one song, or one file of each', () => {
    expect(names([stems('a')])).toEqual(['a-vocals.wav', 'a-drums.wav']);
    const one = (name: string) => ({ source: { name }, results: [{ name, file: file(name) }] });
    expect(names([one('a.jpg'), one('b.jpg')])).toEqual(['a.jpg', 'b.jpg']);
  });
});

it('results of one name get different ones, with and without an ending', () => {
  const file = { name: 'output', mediaType: 'image/png', blob: new Blob([]) };
  const getNames = (...names: string[]) =>
    withUniqueNames(names.map((name) => ({ name, file }))).map(({ name }) => name);
  expect(getNames('a.jpg', 'A.jpg', 'a.jpg')).toEqual(['a.jpg', 'A-2.jpg', 'a-3.jpg']);
  expect(getNames('photo', 'photo', 'photo.', 'photo.', 'a.b.jpg', 'a.b.jpg')).toEqual([
    ...['photo', 'photo-2', 'photo.', 'photo-2.', 'a.b.jpg', 'a.b-2.jpg'],
  ]);
});
