// @module-tag long

import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { audioDiarize } from '../../../models/operations/diarize/operation.ts';
import { seededRandom } from '../../../models/operations/extend/seeded-random.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { getWav, readMono } from '../../support/media/audio.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { createDiarizationInference } from '../../support/models/diarization.ts';

type Samples = Float32Array<ArrayBuffer>;

const RATE = 16_000;
const TALK = resolve(import.meta.dirname, '../../../public/samples/conversation.wav');
const LIBRISPEECH = sharedData('data/train/speech/librispeech');
/** Files of two readers, several of each. */
const READERS = [
  Array.from({ length: 10 }, (_, at) => `2033-164914-000${at}`),
  Array.from({ length: 4 }, (_, at) => `1688-142285-000${at}`),
].map((names) => names.map((name) => join(LIBRISPEECH.path, `${name}.opus`)));
/** Turns of two speakers of the talk, the longer one first. */
const TURNS = [
  { start: 12.8, end: 18.1 },
  { start: 6.2, end: 11.2 },
];
/** A turn may begin or end with a reader's pause. */
const TOLERANCE_SECONDS = 1;
/** Seconds before and after the second speaker's turn in which the first one is silent. */
const PAUSE = 0.8;

/** Returns the first seconds of speech. */
function spoken(samples: Samples, seconds: number): Samples {
  const count = Math.round(seconds * RATE);
  if (samples.length < count) throw new RangeError(`there are less than ${seconds} seconds of speech`);
  return samples.slice(0, count);
}

/** Hears samples some milliseconds later, at another level, before the hiss of a line. */
function line(samples: Samples, gain: number, seed: number, milliseconds = 0): Samples {
  const random = seededRandom(seed);
  const delay = (milliseconds * RATE) / 1000;
  return samples.map((_, at) => gain * (samples[at - delay] ?? 0) + 0.0004 * (random() - 0.5));
}

const sum = (one: Samples, other: Samples): Samples => one.map((sample, at) => sample + (other[at] ?? 0));

interface Interview {
  readonly first: Samples;
  readonly second: Samples;
  /** Turn of the second speaker, in seconds. */
  readonly start: number;
  readonly end: number;
}

/** Makes an interview whose second speaker has a share of the speech, in one turn after two thirds of it. */
function interview([one, two]: readonly Samples[], seconds: number, share: number): Interview {
  const turn = seconds * share;
  const start = Math.round((seconds - turn) * 0.66);
  const length = Math.round((seconds + 2 * PAUSE) * RATE);
  const [first, second] = [new Float32Array(length), new Float32Array(length)];
  const long = spoken(one as Samples, seconds - turn);
  first.set(long.subarray(0, start * RATE));
  first.set(long.subarray(start * RATE), Math.round((start + turn + 2 * PAUSE) * RATE));
  second.set(spoken(two as Samples, turn), Math.round((start + PAUSE) * RATE));
  return { first, second, start: start + PAUSE, end: start + PAUSE + turn };
}

async function diarize(channels: readonly Samples[], params: object = {}) {
  const { signal } = new AbortController();
  const runtime = createNodeRuntime({ signal, inference: createDiarizationInference([]) });
  const { files } = await audioDiarize.execute(getWav(channels, RATE), params, runtime);
  return JSON.parse((await files[0]?.blob.text()) ?? '') as {
    readonly speakers: number | null;
    readonly segments: readonly { readonly speaker: number; readonly start: number; readonly end: number }[];
  };
}

async function expectBoth({ start, end }: Interview, channels: readonly Samples[]): Promise<void> {
  const { speakers, segments } = await diarize(channels);
  expect(speakers).toBe(2);
  const own = segments.filter(({ speaker }) => speaker === 1);
  expect(Math.abs((own[0]?.start ?? 0) - start)).toBeLessThan(TOLERANCE_SECONDS);
  expect(Math.abs((own.at(-1)?.end ?? 0) - end)).toBeLessThan(TOLERANCE_SECONDS);
  const others = segments.filter(({ speaker }) => speaker === 0);
  const within = (span: { start: number; end: number }) =>
    Math.max(0, Math.min(span.end, end) - Math.max(span.start, start));
  expect(others.reduce((seconds, span) => seconds + within(span), 0)).toBeLessThan(TOLERANCE_SECONDS);
}

async function getExpectBoth(voices: readonly Samples[], seconds: number, share: number, gain: number) {
  const made = interview(voices, seconds, share);
  await expectBoth(made, [line(made.first, 1, 1), line(made.second, gain, 2)]);
  await expectBoth(made, [line(made.second, gain, 2), line(made.first, 1, 1)]);
}

async function expectBothWithBleed(voices: readonly Samples[], seconds: number, share: number) {
  const made = interview(voices, seconds, share);
  const left = sum(line(made.first, 1, 1), line(made.second, 0.07, 3, 15));
  const right = sum(line(made.second, 1, 2), line(made.first, 0.07, 4, 15));
  await expectBoth(made, [left, right]);
}

const BLEED = [
  ['bleeds into the other channel', 0.1, 15],
  ['is heard later in the other microphone', 0.8, 2],
] as const;

async function expectOneWithBleed(
  voices: readonly Samples[],
  seconds: number,
  gain: number,
  milliseconds: number,
) {
  const alone = spoken(voices[0] as Samples, seconds);
  const { speakers, segments } = await diarize([line(alone, 1, 1), line(alone, gain, 2, milliseconds)]);
  expect(speakers).toBe(1);
  expect(segments.at(-1)?.end).toBeGreaterThan(seconds - 1);
}

describe('audio-diarize hears both who have a channel of their own', () => {
  const voices: Samples[] = [];
  beforeAll(async () => {
    const talk = await readMono(TALK, RATE);
    for (const { start, end } of TURNS) voices.push(talk.slice(start * RATE, end * RATE));
  });

  it.each([
    [0.2, 1],
    [0.2, 0.1],
    [0.4, 1],
  ])('in 6 s of which the second has the share %d, at the level %d', async (share, gain) => {
    await getExpectBoth(voices, 6, share, gain);
  });

  it('where each is heard in the microphone of the other', async () => {
    await expectBothWithBleed(voices, 6, 0.3);
  });

  it.each(BLEED)('but one whose voice %s is one', async (_, gain, milliseconds) => {
    await expectOneWithBleed(voices, 5, gain, milliseconds);
  });

  it('but one where one is asked for', async () => {
    const made = interview(voices, 6, 0.3);
    const { speakers } = await diarize([line(made.first, 1, 1), line(made.second, 1, 2)], {
      speaker_count: 1,
    });
    expect(speakers).toBe(1);
  });
});

describe.skipIf(LIBRISPEECH.isMissing)(LIBRISPEECH.titled('audio-diarize hears both of two readers'), () => {
  const voices: Samples[] = [];
  beforeAll(async () => {
    for (const files of READERS) {
      const said = await Promise.all(files.map((path) => readMono(path, RATE)));
      voices.push(Float32Array.from(said.flatMap((samples) => [...samples])));
    }
  });

  it.each([
    [80, 0.025, 1],
    [80, 0.025, 0.1],
    [60, 0.05, 1],
    [60, 0.05, 0.1],
    [30, 0.2, 1],
    [30, 0.2, 0.1],
  ])('in %d s of which the second has the share %d, at the level %d', async (seconds, share, gain) => {
    await getExpectBoth(voices, seconds, share, gain);
  });

  it('where each is heard in the microphone of the other', async () => {
    await expectBothWithBleed(voices, 40, 0.1);
  });

  it.each(BLEED)('but one whose voice %s is one', async (_, gain, milliseconds) => {
    await expectOneWithBleed(voices, 30, gain, milliseconds);
  });
});
