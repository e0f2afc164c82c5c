import { expect, it } from 'vitest';
import { SpeakerAssignment } from '../../../../models/operations/diarize/assign-speakers.ts';
import { EMBEDDING_LENGTH } from '../../../../models/operations/diarize/speaker-embeddings.ts';
import { speechWindows } from '../../../../models/operations/diarize/speech-windows.ts';
import { seededRandom } from '../../../../models/operations/extend/seeded-random.ts';

const DIMENSIONS = EMBEDDING_LENGTH;

const { signal } = new AbortController();

interface Talk {
  readonly windows: number;
  /** Share of the windows that each speaker has. */
  readonly shares: readonly number[];
  /** Cosine between two windows of one speaker, and between windows of two, on average. */
  readonly within: number;
  readonly across: number;
}

/** Makes the embeddings of windows of speakers who talk one after another. */
function getTalk({ windows, shares, within, across }: Talk) {
  const random = seededRandom(7);
  const values = new Float32Array(windows * DIMENSIONS);
  for (let window = 0, speaker = 0; window < windows; window++) {
    const end = shares.slice(0, speaker + 1).reduce((sum, share) => sum + share, 0);
    if (window >= end * windows && speaker + 1 < shares.length) speaker += 1;
    const vector = Array.from({ length: DIMENSIONS }, () => {
      const normal = Array.from({ length: 12 }, random).reduce((sum, each) => sum + each, -6);
      return normal * Math.sqrt((1 - within) / DIMENSIONS);
    });
    vector[0] = (vector[0] as number) + Math.sqrt(across);
    vector[1 + speaker] = (vector[1 + speaker] as number) + Math.sqrt(within - across);
    const length = Math.hypot(...vector);
    values.set(
      vector.map((value) => value / length),
      window * DIMENSIONS,
    );
  }
  return values;
}

async function expectSpeakers(talk: Talk, count: number): Promise<void> {
  // Windows of 1.6 s begin every 0.4 s.
  const regions = [{ start: 0, end: 1.2 + talk.windows * 0.4 }];
  const windows = speechWindows(regions);
  expect(windows).toHaveLength(talk.windows);
  const segments = await new SpeakerAssignment(regions, windows, getTalk(talk), signal).segments();
  expect(new Set(segments.map(({ speaker }) => speaker)).size).toBe(count);
  const turnEnds = talk.shares.map((_, at) =>
    talk.shares.slice(0, at + 1).reduce((sum, share) => sum + share, 0),
  );
  if (count === talk.shares.length) {
    segments.forEach(({ end }, at) => {
      expect(Math.abs(end - (turnEnds[at] as number) * (regions[0]?.end as number))).toBeLessThan(2);
    });
  }
}

it.each([
  ['clean voices that are alike', { windows: 200, shares: [0.5, 0.5], within: 0.9, across: 0.5 }, 2],
  ['one voice in noise', { windows: 200, shares: [1], within: 0.35, across: 0 }, 1],
  ['three voices in noise', { windows: 300, shares: [0.4, 0.3, 0.3], within: 0.45, across: 0.1 }, 3],
  ['a voice and a short interjection', { windows: 200, shares: [0.995, 0.005], within: 0.7, across: 0.1 }, 1],
  ['a voice and three seconds of another', { windows: 60, shares: [0.9, 0.1], within: 0.7, across: 0.1 }, 2],
  ['two windows', { windows: 2, shares: [1], within: 0.7, across: 0.1 }, 1],
])('SpeakerAssignment: %s', (_, talk, count) => expectSpeakers(talk, count));

it('SpeakerAssignment: an hour of three voices', { tags: ['long'] }, async () => {
  await expectSpeakers({ windows: 7200, shares: [0.3, 0.3, 0.4], within: 0.7, across: 0.2 }, 3);
});

it.each([
  [1, 1],
  [3, 3],
  [20, 20],
  // Three seconds have 30 steps.
  [31, 30],
])(
  'SpeakerAssignment: three seconds of one voice among %i speakers are those of %i',
  async (speakerCount, found) => {
    const regions = [{ start: 0.5, end: 3.5 }];
    const windows = speechWindows(regions);
    const talk = { windows: windows.length, shares: [1], within: 0.7, across: 0.1 };
    const assignment = new SpeakerAssignment(regions, windows, getTalk(talk), signal);
    const segments = await assignment.segmentsAmong(speakerCount);
    expect(new Set(segments.map(({ speaker }) => speaker)).size).toBe(found);
    expect([segments[0]?.start, segments.at(-1)?.end]).toEqual([0.5, 3.5]);
  },
);

it('SpeakerAssignment: a known number leaves a voice that cannot be told from others whole', async () => {
  const talk = { windows: 200, shares: [1], within: 0.6, across: 0.1 };
  const regions = [{ start: 0, end: 1.2 + talk.windows * 0.4 }];
  const assignment = new SpeakerAssignment(regions, speechWindows(regions), getTalk(talk), signal);
  const segments = await assignment.segmentsAmong(4);
  const seconds = [0, 0, 0, 0];
  for (const { speaker, start, end } of segments) seconds[speaker] = (seconds[speaker] ?? 0) + end - start;
  const [first = 0, ...others] = seconds.toSorted((one, other) => other - one);
  expect(first).toBeGreaterThan(75);
  expect(others.every((each) => each > 0.3)).toBe(true);
});

it('SpeakerAssignment: the search for a number ends once the signal aborts', async () => {
  const regions = [{ start: 0, end: 9.2 }];
  const talk = { windows: 20, shares: [0.5, 0.5], within: 0.9, across: 0.1 };
  const ending = new AbortController();
  const assignment = new SpeakerAssignment(regions, speechWindows(regions), getTalk(talk), ending.signal);
  const segments = assignment.segments();
  ending.abort(new Error('ended'));
  await expect(segments).rejects.toThrow('ended');
});
