import { describe, expect, it } from 'vitest';
import { refineTurns } from '../../../../../models/operations/diarize/join-windows.ts';
import type { Segment } from '../../../../../models/operations/diarize/segment.ts';

const FRAMES = 589;
const FRAME_SECONDS = 270 / 16_000;
const END_SECONDS = 12;

/** Voices of windows every 2 s, as bits, by the time in the recording. */
function windows(bitsAt: (seconds: number, window: number) => number) {
  return [0, 1].map((window) => {
    const firstFrame = Math.round((window * 32_000) / 270);
    const speakers = Uint8Array.from({ length: FRAMES }, (_, at) =>
      bitsAt(0.031 + (firstFrame + at) * FRAME_SECONDS, window),
    );
    return { firstFrame, speakers };
  });
}

const TWO: readonly Segment[] = [
  { speaker: 0, start: 0.5, end: 5.3 },
  { speaker: 1, start: 5.3, end: 11 },
];
/** The second window calls the voices by other numbers. */
const VOICES = [
  { first: 0b001, second: 0b010 },
  { first: 0b100, second: 0b001 },
] as const;

const near = (seconds: number) => expect.closeTo(seconds, 1);

describe('the turns of speakers', () => {
  it('end where most windows hear them end, whatever each calls its voices', () => {
    const activities = windows((seconds, window) => {
      const { first, second } = VOICES[window as 0 | 1];
      return seconds < 4.8 ? first : second;
    });
    expect(refineTurns(TWO, activities, END_SECONDS)).toEqual([
      { speaker: 0, start: near(0.5), end: near(4.8) },
      { speaker: 1, start: near(4.8), end: near(11) },
    ]);
  });

  it('overlap where the windows hear two voices', () => {
    const activities = windows((seconds, window) => {
      const { first, second } = VOICES[window as 0 | 1];
      return (seconds < 6.5 ? first : 0) | (seconds > 5 ? second : 0);
    });
    expect(refineTurns(TWO, activities, END_SECONDS)).toEqual([
      { speaker: 0, start: near(0.5), end: near(6.5) },
      { speaker: 1, start: near(5), end: near(11) },
    ]);
  });

  it.each([
    ['hear no one', () => 0],
    ['take two speakers for one', () => 0b010],
  ])('stay where the windows %s', (_what, bitsAt) => {
    expect(refineTurns(TWO, windows(bitsAt), END_SECONDS)).toEqual([
      { speaker: 0, start: near(0.5), end: near(5.3) },
      { speaker: 1, start: near(5.3), end: near(11) },
    ]);
  });

  it('never begin where there is no speech', () => {
    const music = windows((seconds) => (seconds > 11 ? 0b100 : 0b001));
    const segments = refineTurns([{ speaker: 0, start: 1, end: 6 }], music, END_SECONDS);
    expect(segments).toEqual([{ speaker: 0, start: near(1), end: near(6) }]);
  });

  it('are not lost, though the windows outvote a speaker', () => {
    const brief: readonly Segment[] = [
      { speaker: 0, start: 0, end: 5 },
      { speaker: 1, start: 5, end: 5.4 },
      { speaker: 0, start: 5.4, end: 12 },
    ];
    const segments = refineTurns(
      brief,
      windows(() => 0b001),
      END_SECONDS,
    );
    expect(segments.find(({ speaker }) => speaker === 1)).toEqual({ speaker: 1, start: 5, end: 5.4 });
  });

  it('of no speaker are none', () => {
    expect(
      refineTurns(
        [],
        windows(() => 0b011),
        END_SECONDS,
      ),
    ).toEqual([]);
  });
});
