import { expect, test } from 'vitest';

// Types of the tests know no sound of a page.
const MODULE: string = '../../../app/studio/sound/count-in.ts';

interface CountInModule {
  countedBeat(countIn: { beats: number; beatSeconds: number }, secondsLeft: number): number;
  countInSeconds(countIn: { beats: number; beatSeconds: number }): number;
}

const BAR = { beats: 4, beatSeconds: 0.5 };

test('a bar is counted from 1 to its beats, and no more once it is over', async () => {
  const { countedBeat, countInSeconds }: CountInModule = await import(MODULE);
  expect(countInSeconds(BAR)).toBe(2);
  const left = [2.03, 2, 1.51, 1.5, 1, 0.5, 0.01, 0];
  expect(left.map((seconds) => countedBeat(BAR, seconds))).toEqual([1, 1, 1, 2, 3, 4, 4, 0]);
});
