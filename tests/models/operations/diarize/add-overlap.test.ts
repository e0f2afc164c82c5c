import { expect, it } from 'vitest';
import { addOverlap } from '../../../../models/operations/diarize/add-overlap.ts';
import { EMBEDDING_LENGTH } from '../../../../models/operations/diarize/speaker-embeddings.ts';
import { speechWindows } from '../../../../models/operations/diarize/speech-windows.ts';

interface Turn {
  readonly speaker: number;
  readonly start: number;
  readonly end: number;
}

const turn = (speaker: number, start: number, end: number): Turn => ({ speaker, start, end });

/** Makes windows over turns, whose embeddings are one axis for each voice. @param voiceAt of a window by its middle */
function heard(turns: readonly Turn[], voiceAt: (seconds: number) => readonly number[]) {
  const windows = speechWindows(turns);
  const embeddings = new Float32Array(windows.length * EMBEDDING_LENGTH);
  windows.forEach(({ first, end }, at) => {
    const voices = voiceAt((first + end) / 200);
    for (const voice of voices) embeddings[at * EMBEDDING_LENGTH + voice] = 1 / Math.sqrt(voices.length);
  });
  return { windows, embeddings };
}

const speakerAt = (turns: readonly Turn[]) => (seconds: number) =>
  turns.filter(({ start, end }) => seconds >= start && seconds < end).map(({ speaker }) => speaker);

it('adds the other speaker to both sides of a change, as parts of their turns', () => {
  const turns = [turn(0, 0, 6), turn(1, 6, 12)];
  const found = addOverlap(turns, [{ start: 5, end: 7 }], heard(turns, speakerAt(turns)));
  expect(found).toEqual([turn(0, 0, 7), turn(1, 5, 12)]);
});

it('adds the speaker who is heard there, of two whose turns are as near', () => {
  const turns = [turn(0, 0, 6), turn(1, 6, 16), turn(2, 16, 22)];
  const voices = (seconds: number) => (seconds > 10 && seconds < 12 ? [1, 2] : speakerAt(turns)(seconds));
  const found = addOverlap(turns, [{ start: 10.5, end: 11.5 }], heard(turns, voices));
  expect(found).toEqual([turn(0, 0, 6), turn(1, 6, 16), turn(2, 10.5, 11.5), turn(2, 16, 22)]);
});

it('adds the speaker whose turn is near, of two who are heard as little', () => {
  const turns = [turn(0, 0, 6), turn(1, 6, 16), turn(2, 16, 22)];
  const found = addOverlap(turns, [{ start: 14, end: 15 }], heard(turns, speakerAt(turns)));
  expect(found).toContainEqual(turn(2, 14, 15));
});

it('numbers the speakers by first appearance again', () => {
  const turns = [turn(0, 0, 6), turn(1, 7, 12), turn(2, 20, 26)];
  const voices = (seconds: number) => (seconds < 6 ? [0, 2] : speakerAt(turns)(seconds));
  const found = addOverlap(turns, [{ start: 1, end: 3 }], heard(turns, voices));
  expect(found.map(({ speaker }) => speaker)).toEqual([0, 1, 2, 1]);
});

it('adds nothing to a single speaker, to silence, or for an instant', () => {
  const alone = [turn(0, 0, 6), turn(0, 8, 12)];
  expect(addOverlap(alone, [{ start: 1, end: 3 }], heard(alone, speakerAt(alone)))).toEqual(alone);
  const turns = [turn(0, 0, 6), turn(1, 8, 12)];
  const overlaps = [
    { start: 6, end: 8 },
    { start: 9, end: 9.1 },
  ];
  expect(addOverlap(turns, overlaps, heard(turns, speakerAt(turns)))).toEqual(turns);
});
