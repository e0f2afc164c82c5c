import { describe, expect, it } from 'vitest';
import { changed, noHistory, redone, undone } from '../../app/(studio)/who-spoke/edit-history.ts';
import { exportAs } from '../../app/(studio)/who-spoke/exports.ts';
import {
  canSplit,
  endOf,
  merged,
  movedSegments,
  noEdits,
  placeAt,
  reassigned,
  renamed,
  speakersOf,
  split,
  spokenSeconds,
  type Timeline,
} from '../../app/(studio)/who-spoke/timeline.ts';

const TIMELINE: Timeline = {
  segments: [
    { speaker: 0, start: 0.5, end: 2 },
    { speaker: 1, start: 2, end: 3661.25 },
    { speaker: 0, start: 3662, end: 3663 },
  ],
};
const NONE = noEdits('run');
const speakersIn = (edits: typeof NONE) => movedSegments(TIMELINE, edits).map(({ speaker }) => speaker);

describe('edits', () => {
  it('rename a speaker, and number one again whose name is emptied', () => {
    const named = renamed(NONE, 1, '  Ada   Lovelace ');
    expect(speakersOf(TIMELINE.segments, named).map(({ name }) => name)).toEqual([
      'Speaker 1',
      'Ada Lovelace',
    ]);
    expect(renamed(named, 1, ' ').names).toEqual({});
  });

  it('merge, split and give away turns, under numbers that nobody has had', () => {
    expect(speakersIn(merged(TIMELINE, NONE, 1, 0))).toEqual([0, 0, 0]);
    const apart = split(TIMELINE, NONE, 0, 2);
    expect(speakersIn(apart)).toEqual([0, 1, 2]);
    expect(speakersIn(reassigned(apart, 0, 1))).toEqual([1, 1, 2]);
  });

  it('merge under the name that somebody gave, the one of the speaker who stays first', () => {
    const named = renamed(NONE, 1, 'Ada');
    expect(merged(TIMELINE, named, 1, 0).names).toMatchObject({ 0: 'Ada' });
    expect(merged(TIMELINE, renamed(named, 0, 'Bo'), 1, 0).names).toMatchObject({ 0: 'Bo' });
    expect(merged(TIMELINE, NONE, 1, 0).names).toEqual({});
  });

  it('sum the talk time of each speaker', () => {
    expect(speakersOf(TIMELINE.segments, NONE).map(({ seconds }) => seconds)).toEqual([2.5, 3659.25]);
  });
});

it('finds the turn at a time', () => {
  expect([0, 0.5, 3000, 9999].map((time) => placeAt(TIMELINE.segments, time))).toEqual([-1, 0, 1, 2]);
});

describe('files', () => {
  const textOf = (format: 'srt' | 'json' | 'rttm' | 'csv', edits = NONE) =>
    exportAs(format, TIMELINE, edits, 'a talk').blob.text();

  it('hold times as subtitles do, beyond an hour', async () => {
    expect(await textOf('srt')).toContain('2\n00:00:02,000 --> 01:01:01,250\nSpeaker 2\n\n');
  });

  it('have no spaces within the fields of RTTM', async () => {
    const lines = (await textOf('rttm')).split('\n');
    expect(lines[0]).toBe('SPEAKER a_talk 1 0.500 1.500 <NA> <NA> Speaker_1 <NA> <NA>');
  });

  it('number speakers by their first turn in JSON, as the API does', async () => {
    const { speakers, segments } = JSON.parse(await textOf('json', merged(TIMELINE, NONE, 0, 1)));
    expect([speakers, segments[0]]).toEqual([1, { speaker: 0, start: 0.5, end: 2 }]);
  });

  it('quote names in CSV', async () => {
    expect(await textOf('csv', renamed(NONE, 0, 'O, "x"'))).toContain('0.500,2.000,1.500,"O, ""x"""\r\n');
  });
});

describe('turns that overlap', () => {
  const both = [
    { speaker: 0, start: 1, end: 9 },
    { speaker: 1, start: 1, end: 3 },
    { speaker: 1, start: 6, end: 7 },
  ];

  it('have the last one that has begun as the current one', () => {
    expect([0.5, 2, 6.5].map((time) => placeAt(both, time))).toEqual([-1, 1, 2]);
  });

  it('count once in the time that anybody speaks, and end with the last end', () => {
    expect(spokenSeconds(both)).toBe(8);
    expect(spokenSeconds(TIMELINE.segments)).toBe(1.5 + 3659.25 + 1);
    expect([endOf(both), endOf([])]).toEqual([9, 0]);
  });
});

describe('canSplit', () => {
  it('needs turns before the place and from it on, also where turns overlap', () => {
    const turns = [
      { speaker: 0, start: 5, end: 9 },
      { speaker: 0, start: 30, end: 40 },
      { speaker: 1, start: 30, end: 35 },
    ];
    expect([1, 2].map((place) => canSplit(turns, 0, place))).toEqual([true, false]);
    expect(canSplit(turns, 1, 2)).toBe(false);
  });
});

describe('the history of edits', () => {
  const ada = renamed(NONE, 0, 'Ada');
  const bea = renamed(ada, 1, 'Bea');

  it('goes back and forth, and drops what was undone with the next change', () => {
    const two = changed(changed(noHistory('run'), ada), bea);
    expect(undone(two).now).toEqual(ada);
    expect(redone(undone(two))).toEqual(two);
    expect(changed(undone(two), renamed(ada, 1, 'Cleo')).undone).toEqual([]);
    expect(undone(undone(undone(two))).now).toEqual(NONE);
  });

  it('takes no step for a change that changes nothing', () => {
    const one = changed(noHistory('run'), ada);
    expect(changed(one, renamed(ada, 0, ' Ada '))).toBe(one);
    expect(changed(one, renamed(ada, 1, ''))).toBe(one);
  });
});
