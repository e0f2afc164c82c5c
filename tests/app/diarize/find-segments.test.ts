import { expect, test } from 'vitest';
import {
  ALL_SEGMENTS,
  findSegments,
  getSpeakers,
  noEdits,
  renameSpeaker,
  stepAmong,
} from '../../../app/studio/diarize/timeline.ts';

const SEGMENTS = [
  { speaker: 0, start: 0, end: 4 },
  { speaker: 1, start: 5, end: 8 },
  { speaker: 0, start: 65, end: 70 },
  { speaker: 2, start: 130, end: 133 },
];
const SPEAKERS = getSpeakers(SEGMENTS, renameSpeaker(noEdits('run'), 1, 'Ada Lovelace'));
const find = (query: object) => findSegments(SEGMENTS, SPEAKERS, { ...ALL_SEGMENTS, ...query });

test('segments are found by speaker, by name and by the beginning of their time', () => {
  expect(find({})).toEqual([0, 1, 2, 3]);
  expect(find({ speaker: 0 })).toEqual([0, 2]);
  expect(find({ text: ' lovel' })).toEqual([1]);
  expect(find({ text: '1:0' })).toEqual([2]);
  expect(find({ text: '2:', speaker: 0 })).toEqual([]);
});

test('a step goes to the next found segment, and stops at the ends', () => {
  expect([stepAmong([0, 2], 0, 1), stepAmong([0, 2], 1, 1), stepAmong([0, 2], 1, -1)]).toEqual([2, 2, 0]);
  expect([stepAmong([0, 2], 2, 1), stepAmong([0, 2], -1, -1)]).toEqual([undefined, undefined]);
});
