import { describe, expect, it } from 'vitest';
import { exportAs } from '../../../app/studio/diarize/exports.ts';
import {
  applyMoves,
  canSplit,
  emptyHistory,
  getSpeakers,
  getTalkTimes,
  lastTurnEnd,
  mergeSpeakers,
  noEdits,
  pushEdit,
  reassignSegment,
  redoEdit,
  renameByName,
  renameSpeaker,
  segmentIndexAt,
  speechSeconds,
  splitSpeaker,
  type Timeline,
  undoEdit,
} from '../../../app/studio/diarize/timeline.ts';
import type { Segment } from '../../../models/operations/diarize/segment.ts';

const TIMELINE: Timeline = {
  segments: [
    { speaker: 0, start: 0.5, end: 2 },
    { speaker: 1, start: 2, end: 3661.25 },
    { speaker: 0, start: 3662, end: 3663 },
  ],
};
const NONE = noEdits('run');
const speakersIn = (edits: typeof NONE) => applyMoves(TIMELINE, edits).map(({ speaker }) => speaker);

describe('edits', () => {
  it('rename a speaker, and number one again whose name is emptied', () => {
    const named = renameSpeaker(NONE, 1, '  Ada   Lovelace ');
    expect(getSpeakers(TIMELINE.segments, named).map(({ name }) => name)).toEqual([
      'Speaker 1',
      'Ada Lovelace',
    ]);
    expect(renameSpeaker(named, 1, ' ').names).toEqual({});
  });

  it('merge, split and give away turns, under numbers that no speaker has had', () => {
    expect(speakersIn(mergeSpeakers(TIMELINE, NONE, 1, 0))).toEqual([0, 0, 0]);
    const apart = splitSpeaker(TIMELINE, NONE, 0, 2);
    expect(speakersIn(apart)).toEqual([0, 1, 2]);
    expect(speakersIn(reassignSegment(apart, 0, 1))).toEqual([1, 1, 2]);
  });

  it('merge under the name that a visitor gave, the one of the speaker who stays first', () => {
    const named = renameSpeaker(NONE, 1, 'Ada');
    expect(mergeSpeakers(TIMELINE, named, 1, 0).names).toMatchObject({ 0: 'Ada' });
    expect(mergeSpeakers(TIMELINE, renameSpeaker(named, 0, 'Bo'), 1, 0).names).toMatchObject({ 0: 'Bo' });
    expect(mergeSpeakers(TIMELINE, NONE, 1, 0).names).toEqual({});
  });

  it('sum the talk time of each speaker', () => {
    expect(getSpeakers(TIMELINE.segments, NONE).map(({ seconds }) => seconds)).toEqual([2.5, 3659.25]);
  });
});

it('finds the turn at a time', () => {
  expect([0, 0.5, 3000, 9999].map((time) => segmentIndexAt(TIMELINE.segments, time))).toEqual([-1, 0, 1, 2]);
});

describe('files', () => {
  const getText = (format: 'srt' | 'json' | 'rttm' | 'csv', edits = NONE) =>
    exportAs(format, TIMELINE, edits, 'a talk').blob.text();

  it('hold times as subtitles do, beyond an hour', async () => {
    expect(await getText('srt')).toContain('2\n00:00:02,000 --> 01:01:01,250\nSpeaker 2\n\n');
  });

  it('have no spaces within the fields of RTTM', async () => {
    const lines = (await getText('rttm')).split('\n');
    expect(lines[0]).toBe('SPEAKER a_talk 1 0.500 1.500 <NA> <NA> Speaker_1 <NA> <NA>');
  });

  it('number speakers by their first turn in JSON, as the API does', async () => {
    const { speakers, segments } = JSON.parse(await getText('json', mergeSpeakers(TIMELINE, NONE, 0, 1)));
    expect([speakers, segments[0]]).toEqual([1, { speaker: 0, start: 0.5, end: 2 }]);
  });

  it('quote names in CSV', async () => {
    expect(await getText('csv', renameSpeaker(NONE, 0, 'O, "x"'))).toContain(
      '0.500,2.000,1.500,"O, ""x"""\r\n',
    );
  });
});

describe('turns that overlap', () => {
  const both = [
    { speaker: 0, start: 1, end: 9 },
    { speaker: 1, start: 1, end: 3 },
    { speaker: 1, start: 6, end: 7 },
  ];

  it('have the last one that has begun as the current one', () => {
    expect([0.5, 2, 6.5].map((time) => segmentIndexAt(both, time))).toEqual([-1, 1, 2]);
  });

  it('count once in the time that anybody speaks, and end with the last end', () => {
    expect(speechSeconds(both)).toBe(8);
    expect(speechSeconds(TIMELINE.segments)).toBe(1.5 + 3659.25 + 1);
    expect([lastTurnEnd(both), lastTurnEnd([])]).toEqual([9, 0]);
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
  const ada = renameSpeaker(NONE, 0, 'Ada');
  const bea = renameSpeaker(ada, 1, 'Bea');

  it('goes back and forth, and drops what was undone with the next change', () => {
    const two = pushEdit(pushEdit(emptyHistory('run'), ada), bea);
    expect(undoEdit(two).now).toEqual(ada);
    expect(redoEdit(undoEdit(two))).toEqual(two);
    expect(pushEdit(undoEdit(two), renameSpeaker(ada, 1, 'Cleo')).undone).toEqual([]);
    expect(undoEdit(undoEdit(undoEdit(two))).now).toEqual(NONE);
  });

  it('takes no step for a change that changes nothing', () => {
    const one = pushEdit(emptyHistory('run'), ada);
    expect(pushEdit(one, renameSpeaker(ada, 0, ' Ada '))).toBe(one);
    expect(pushEdit(one, renameSpeaker(ada, 1, ''))).toBe(one);
  });
});

describe('talk time', () => {
  const times = (segments: readonly Segment[]) => getTalkTimes(segments, getSpeakers(segments, NONE));

  it('adds up in seconds and percent', () => {
    const turns = [0, 1, 2].map((speaker) => ({ speaker, start: speaker * 10, end: speaker * 10 + 4.5 }));
    expect(times(turns)).toEqual({ speech: 14, overlap: 0, seconds: [5, 5, 4], percent: [34, 33, 33] });
  });

  it('tells how much of it several speak at once', () => {
    const both = [
      { speaker: 0, start: 0, end: 10 },
      { speaker: 1, start: 7, end: 12 },
    ];
    expect(times(both)).toEqual({ speech: 12, overlap: 3, seconds: [10, 5], percent: [67, 33] });
  });
});

it('renames the speakers of a name, and no others', () => {
  const named = renameSpeaker(NONE, 1, 'Anna');
  expect(renameByName(TIMELINE, named, 'Anna', 'Anne').names).toEqual({ 1: 'Anne' });
  expect(renameByName(TIMELINE, NONE, 'Speaker 1', 'Ben').names).toEqual({ 0: 'Ben' });
  expect(renameByName(TIMELINE, named, 'Carl', 'x')).toBe(named);
});
