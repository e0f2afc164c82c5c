// @module-tag long

import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Resampler } from '../../../models/kernels/audio/resampler.ts';
import { audioDiarize } from '../../../models/operations/diarize/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { getWav, readMono } from '../../support/media/audio.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { createDiarizationInference } from '../../support/models/diarization.ts';

type Samples = Float32Array<ArrayBuffer>;

const RATE = 16_000;
const SAMPLES = resolve(import.meta.dirname, '../../../public/samples');
const TALK = sharedData('data/diarization/falcon/test.wav');
/** Turns of both talks: one speaker each. */
const TURNS = [
  { start: 1.8, end: 3.9 },
  { start: 6.2, end: 11.2 },
  { start: 12.8, end: 18.1 },
];
/** Twice a frame of the detector, and what is added around speech. */
const TOLERANCE_SECONDS = 0.45;

const wav = (channels: readonly Samples[], sampleRate = RATE) => getWav(channels, sampleRate);

const scaled = (samples: Samples, gain: number): Samples => samples.map((sample) => sample * gain);
/** Adds a function of time in seconds. */
const plus = (samples: Samples, sound: (seconds: number) => number): Samples =>
  samples.map((sample, at) => Math.max(-1, Math.min(1, sample + sound(at / RATE))));
const sine = (hertz: number, level: number) => (seconds: number) =>
  level * Math.sin(2 * Math.PI * hertz * seconds);

function telephone(talk: Samples): Blob {
  const resampler = new Resampler(RATE, 8000);
  const chunks = [resampler.push([talk]), resampler.finish()].flatMap(([samples]) => samples ?? []);
  return wav([Float32Array.from(chunks.flatMap((chunk) => [...chunk]))], 8000);
}

/** Adds what a microphone hears again, later and fainter, as of a loudspeaker. */
const heardAgain = (samples: Samples, seconds: number, gain: number): Samples =>
  samples.map((sample, at) => (sample + gain * (samples[at - Math.round(seconds * RATE)] ?? 0)) / (1 + gain));

/** Recordings of one talk with troubles that no listener minds. */
const TROUBLES: readonly (readonly [string, (talk: Samples) => Blob])[] = [
  ['one channel inverted', (talk) => wav([talk, scaled(talk, -1)])],
  ['one channel inverted, and not quite as loud', (talk) => wav([talk, scaled(talk, -0.9)])],
  ['a silent left channel', (talk) => wav([scaled(talk, 0), talk])],
  ['a silent right channel', (talk) => wav([talk, scaled(talk, 0)])],
  ['a DC offset', (talk) => wav([plus(talk, () => 0.1)])],
  ['a DC offset 20 dB above the voices', (talk) => wav([plus(scaled(talk, 0.03), () => 0.3)])],
  ['rumble louder than the voices', (talk) => wav([plus(scaled(talk, 0.1), sine(30, 0.4))])],
  ['hum of the mains', (talk) => wav([plus(scaled(talk, 0.1), sine(50, 0.3))])],
  ['a level 55 dB lower', (talk) => wav([scaled(talk, 10 ** (-55 / 20))])],
  ['8000 samples a second', telephone],
  ['a loudspeaker that is heard again after 0.1 s', (talk) => wav([heardAgain(talk, 0.1, 0.3)])],
  ['a loudspeaker that is heard again after 0.25 s', (talk) => wav([heardAgain(talk, 0.25, 0.3)])],
  ['a loudspeaker that is heard again, half as loud', (talk) => wav([heardAgain(talk, 0.25, 0.5)])],
  ['a loud click', (talk) => wav([plus(scaled(talk, 0.03), (at) => (at > 1 && at < 1.01 ? 0.99 : 0))])],
];

async function diarize(input: Blob) {
  const { signal } = new AbortController();
  const runtime = createNodeRuntime({ signal, inference: createDiarizationInference([]) });
  const { files } = await audioDiarize.execute(input, {}, runtime);
  return JSON.parse((await files[0]?.blob.text()) ?? '') as {
    readonly speakers: number | null;
    readonly segments: readonly { readonly speaker: number; readonly start: number; readonly end: number }[];
  };
}

async function expectTurns(input: Blob, afterSeconds = 0): Promise<void> {
  const { speakers, segments } = await diarize(input);
  expect(speakers).toBe(3);
  expect(segments.map(({ speaker }) => speaker)).toEqual([0, 1, 2]);
  segments.forEach(({ start, end }, at) => {
    const turn = TURNS[at] ?? { start: 0, end: 0 };
    expect(Math.abs(start - turn.start - afterSeconds)).toBeLessThan(TOLERANCE_SECONDS);
    expect(Math.abs(end - turn.end - afterSeconds)).toBeLessThan(TOLERANCE_SECONDS);
  });
}

async function expectTurnsAfterMusic(talk: Samples, seconds: number): Promise<void> {
  const music = (await readMono(resolve(SAMPLES, 'song.mp3'), RATE)).slice(0, seconds * RATE);
  const joined = new Float32Array(music.length + talk.length);
  joined.set(music);
  joined.set(talk, music.length);
  await expectTurns(wav([joined]), music.length / RATE);
}

/** Puts a talk into one channel, and music that is louder into the other. */
async function expectTurnsBesideMusic(talk: Samples, side: 'left' | 'right', gain: number): Promise<void> {
  const song = await readMono(resolve(SAMPLES, 'song.mp3'), RATE);
  const music = talk.map((_, at) => gain * (song[at % song.length] as number));
  await expectTurns(wav(side === 'left' ? [scaled(talk, 0.1), music] : [music, scaled(talk, 0.1)]));
}

describe('audio-diarize finds the three speakers of a talk', () => {
  let talk: Samples;
  beforeAll(async () => {
    talk = await readMono(resolve(SAMPLES, 'conversation.wav'), RATE);
  });

  it.each(TROUBLES)('with %s', async (_name, make) => {
    await expectTurns(make(talk));
  });

  it.each([2, 9])('after %d s of music', async (seconds) => {
    await expectTurnsAfterMusic(talk, seconds);
  });

  it.each([
    ['left', 0.1],
    ['left', 0.3],
    ['right', 0.9],
  ] as const)('in the %s channel next to music of the level %d', async (side, gain) => {
    await expectTurnsBesideMusic(talk, side, gain);
  });
});

describe.skipIf(TALK.isMissing)(
  TALK.titled('audio-diarize finds the three speakers of the published talk'),
  () => {
    let talk: Samples;
    beforeAll(async () => {
      talk = await readMono(TALK.path, RATE);
    });

    it.each(TROUBLES)('with %s', async (_name, make) => {
      await expectTurns(make(talk));
    });

    it.each([2, 9])('after %d s of music', async (seconds) => {
      await expectTurnsAfterMusic(talk, seconds);
    });
  },
);
