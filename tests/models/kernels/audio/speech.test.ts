import { describe, expect, it } from 'vitest';
import { mergeCloseSpans, speechRegions } from '../../../../models/kernels/audio/speech-regions.ts';
import { decodePowerset } from '../../../../models/operations/diarize/segment.ts';

const RULE = { onset: 0.5, offset: 0.3, speechSecondsMin: 0.3, pauseSecondsMin: 0.25, padSeconds: 0 };

describe('speechRegions', () => {
  it('begins at the onset, and ends only below the offset', () => {
    const probabilities = [0.4, 0.6, 0.4, 0.4, 0.4, 0.2, 0.4];
    expect(speechRegions(probabilities, 0.1, RULE)).toEqual([{ start: 0.1, end: 0.5 }]);
  });

  it('drops short speech, and closes short pauses', () => {
    const probabilities = [0.9, 0.9, 0, 0, 0, 0, 0.9, 0.9, 0.9, 0, 0, 0.9, 0.9, 0.9];
    const rule = { ...RULE, pauseSecondsMin: 0.3 };
    expect(speechRegions(probabilities, 0.125, rule)).toEqual([{ start: 0.75, end: 1.75 }]);
  });

  it('pads both ends within the recording', () => {
    const probabilities = [0.9, 0.9, 0.9, 0.9, 0, 0, 0, 0, 0.9, 0.9, 0.9];
    const rule = { ...RULE, padSeconds: 0.1 };
    expect(speechRegions(probabilities, 0.125, rule).map(({ start, end }) => [start, end])).toEqual([
      [0, 0.6],
      [0.9, 1.375],
    ]);
  });
});

describe('joinNear', () => {
  it('joins overlapping and near spans only', () => {
    const spans = [
      { start: 0, end: 2 },
      { start: 1, end: 1.5 },
      { start: 2.2, end: 3 },
      { start: 3.5, end: 4 },
    ];
    expect(mergeCloseSpans(spans, 0.5)).toEqual([
      { start: 0, end: 3 },
      { start: 3.5, end: 4 },
    ]);
  });
});

describe('decodePowerset', () => {
  it('decodes each class to its speakers', () => {
    const scores = new Float32Array(49).fill(-9);
    for (let frame = 0; frame < 7; frame++) scores[frame * 7 + frame] = -0.1;
    expect([...decodePowerset(scores)]).toEqual([0, 1, 2, 4, 3, 5, 6]);
  });
});
