import { openAsBlob } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { writeWavHeader } from '../../../models/media/audio/write-audio.ts';
import { audioDiarize } from '../../../models/operations/diarize/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { audioFixture, getWav, readMono, serverAudio } from '../../support/media/audio.ts';
import { repeatAudio } from '../../support/media/repeated-audio.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { createDiarizationInference, HUB_IDS, VOICES } from '../../support/models/diarization.ts';

const RATE = 16_000;
const TALK = sharedData('data/diarization/falcon/test.wav');
/** Tones that come and go next to the steady ones: their bands tell the voices apart. */
const OTHER_TONES = [1000, 5000] as const;

interface Turn {
  readonly voice: 0 | 1;
  readonly start: number;
  readonly end: number;
}

/** Makes a recording of tones that stand for voices. */
function recording(seconds: number, turns: readonly Turn[]): Blob {
  const samples = new Float32Array(seconds * RATE);
  for (const { voice, start, end } of turns) {
    for (let at = start * RATE; at < end * RATE; at++) {
      const angle = (2 * Math.PI * at) / RATE;
      const hasOtherTone = Math.floor((at / RATE) * 10) % 2 === 0;
      const wave =
        0.2 * Math.sin(VOICES[voice] * angle) +
        (hasOtherTone ? 0.1 * Math.sin(OTHER_TONES[voice] * angle) : 0);
      samples[at] = (samples[at] as number) + wave;
    }
  }
  return wav(samples);
}

const wav = (...channels: Float32Array<ArrayBuffer>[]) => getWav(channels, RATE);

/** Reads the sample of the product at a share of its amplitude. */
async function conversation(level: number): Promise<Float32Array<ArrayBuffer>> {
  const path = resolve(import.meta.dirname, '../../../public/samples/conversation.wav');
  return (await readMono(path, RATE)).map((sample) => sample * level);
}

async function diarize(input: Blob, params: object = {}, hub: readonly string[] = HUB_IDS) {
  const progress: { fraction: number; unit?: string }[] = [];
  const runtime = {
    ...createNodeRuntime({
      signal: new AbortController().signal,
      inference: createDiarizationInference(hub),
    }),
    progress: ({ fraction, count }: Progress) =>
      void progress.push({ fraction, ...(count && { unit: count.unit }) }),
  };
  await audioDiarize.quote(input, params);
  const result = await audioDiarize.execute(input, params, runtime);
  const [file] = result.files;
  return { ...result, file, output: JSON.parse((await file?.blob.text()) ?? ''), progress };
}

const TURNS: readonly Turn[] = [
  { voice: 1, start: 1, end: 4 },
  { voice: 0, start: 5, end: 9 },
  { voice: 1, start: 8, end: 12 },
];

describe('audio-diarize with the networks of the hub', () => {
  it('finds both voices, their turns and where they overlap', async () => {
    const { output, engine, warnings, file, progress } = await diarize(recording(14, TURNS));
    expect(engine).toBe('pyannote-segmentation-3.0 on cpu');
    expect(warnings).toEqual([]);
    expect(file).toMatchObject({ name: 'output.json', mediaType: 'application/json' });
    expect(output).toMatchObject({ ok: true, speakers: 2 });
    expect(output.segments.map(({ speaker }: { speaker: number }) => speaker)).toEqual([0, 1, 0]);
    output.segments.forEach(({ start, end }: Turn, at: number) => {
      expect(Math.abs(start - (TURNS[at] as Turn).start)).toBeLessThan(0.1);
      expect(Math.abs(end - (TURNS[at] as Turn).end)).toBeLessThan(0.1);
    });
    expect(progress.some(({ unit }) => unit === 'minute')).toBe(true);
    expect(progress.at(-1)?.fraction).toBe(1);
  });

  it('makes one speaker of two voices where the request says so', async () => {
    const { output } = await diarize(recording(14, TURNS), { speaker_count: 1 });
    expect(output.speakers).toBe(1);
    expect(output.segments.every(({ speaker }: { speaker: number }) => speaker === 0)).toBe(true);
  });

  it('finds no one in silence', async () => {
    const { output } = await diarize(recording(3, []));
    expect(output).toEqual({ ok: true, speakers: null, segments: [] });
  });
});

describe('audio-diarize with the small segmentation', () => {
  const SMALL = 'pyannote-segmentation-3.0-int8';
  /** Long enough for the speaker network, which learnt no tones. */
  const LONG_TURNS: readonly Turn[] = [
    { voice: 1, start: 1, end: 6 },
    { voice: 0, start: 7, end: 14 },
    { voice: 1, start: 13, end: 19 },
  ];

  it('finds both voices, their turns and where they overlap', async () => {
    // Told the number: to the speaker network, tones are no voices, and two at once are a third one.
    const params = { speaker_count: 2 };
    const input = recording(20, LONG_TURNS);
    const { output, engine, warnings } = await diarize(input, params, [SMALL, 'silero-vad']);
    expect(engine).toBe(`${SMALL} on cpu`);
    expect(warnings).toEqual([]);
    expect(output.segments.map(({ speaker }: { speaker: number }) => speaker)).toEqual([0, 1, 0]);
    output.segments.forEach(({ start, end }: Turn, at: number) => {
      expect(Math.abs(start - (LONG_TURNS[at] as Turn).start)).toBeLessThan(0.2);
      expect(Math.abs(end - (LONG_TURNS[at] as Turn).end)).toBeLessThan(0.2);
    });
  });

  it.each([1, 3])(
    'gives %i speakers where the request says so',
    { tags: ['long'] },
    async (speaker_count) => {
      const { output } = await diarize(recording(20, LONG_TURNS), { speaker_count }, [SMALL, 'silero-vad']);
      expect(output.speakers).toBe(speaker_count);
    },
  );

  it('finds no one where only the segmentation hears voices', async () => {
    const { output, engine } = await diarize(recording(20, LONG_TURNS), {}, [SMALL]);
    expect(output).toEqual({ ok: true, speakers: null, segments: [] });
    expect(engine).toBe(`${SMALL} on cpu`);
  });

  it('finds the speakers of a conversation that the segmentation does not hear', async () => {
    const talk = wav(await conversation(1));
    const { output } = await diarize(talk, {}, [SMALL]);
    expect(output.segments.map(({ speaker }: { speaker: number }) => speaker)).toEqual([0, 1, 2]);
  });
});

describe('audio-diarize with the bundled networks', () => {
  it.each([
    ['half a second of silence', () => wav(new Float32Array(RATE / 2))],
    ['a tone', () => recording(3, [{ voice: 0, start: 0, end: 3 }])],
    ['noise', () => wav(Float32Array.from({ length: 4 * RATE }, (_, at) => 0.3 * Math.sin(at * at * 0.7)))],
  ])('finds no one in %s', async (_name, make) => {
    const { output, engine } = await diarize(make(), {}, []);
    expect(output).toEqual({ ok: true, speakers: null, segments: [] });
    expect(engine).toBe('silero-speakers on cpu');
  });

  it('finds no one in quiet noise', async () => {
    const noise = Float32Array.from({ length: 4 * RATE }, (_, at) => 0.001 * Math.sin(at * at * 0.7));
    expect((await diarize(wav(noise), {}, [])).output).toEqual({ ok: true, speakers: null, segments: [] });
  });

  it.each([1, 0.01])('finds the three speakers of a conversation at %d of its level', async (level) => {
    const { output } = await diarize(wav(await conversation(level)), {}, []);
    expect(output.segments).toEqual([
      { speaker: 0, start: expect.closeTo(1.8, 0), end: expect.closeTo(3.9, 0) },
      { speaker: 1, start: expect.closeTo(6.2, 0), end: expect.closeTo(11.2, 0) },
      { speaker: 2, start: expect.closeTo(12.7, 0), end: expect.closeTo(18.1, 0) },
    ]);
  });

  it('keeps what a speaker says faintly as part of the turn', { tags: ['long'] }, async () => {
    const samples = await conversation(1);
    for (let at = 9 * RATE; at < 11.3 * RATE; at++) samples[at] = (samples[at] as number) * 0.045;
    const { output } = await diarize(wav(samples), {}, []);
    expect(output.segments).toEqual([
      { speaker: 0, start: expect.closeTo(1.8, 0), end: expect.closeTo(3.9, 0) },
      { speaker: 1, start: expect.closeTo(6.2, 0), end: expect.closeTo(11.2, 0) },
      { speaker: 2, start: expect.closeTo(12.7, 0), end: expect.closeTo(18.1, 0) },
    ]);
  });

  it('finds both speakers where one talks over the other', async () => {
    const samples = await conversation(1);
    // The second speaker's turn once more, over the last one of the third.
    const second = samples.slice(6.2 * RATE, 11.2 * RATE);
    second.forEach((sample, at) => {
      samples[13 * RATE + at] = (samples[13 * RATE + at] as number) + sample;
    });
    // Told the number: without it, both voices together pass for a fourth one.
    const { output } = await diarize(wav(samples), { speaker_count: 3 }, []);
    expect(output.speakers).toBe(3);
    const [first, other] = [2, 1].map((speaker) =>
      output.segments.filter((segment: { speaker: number }) => segment.speaker === speaker),
    );
    const shared = first.flatMap((one: Turn) =>
      other.map((two: Turn) => Math.min(one.end, two.end) - Math.max(one.start, two.start)),
    );
    expect(Math.max(...shared)).toBeGreaterThan(1);
  });

  async function expectRead(name: string): Promise<void> {
    const { output } = await diarize(await audioFixture(name), {}, []);
    expect(output).toEqual({ ok: true, speakers: null, segments: [] });
  }

  it.each(['tone.mp3', 'mono-8k.wav'])('reads %s', expectRead);
  it.each(['wide-192k.flac', 'opus.webm', 'tone.m4a'])('reads %s', { tags: ['long'] }, expectRead);

  it('reads as much of a cut off ogg as is there', async () => await expectCutOff('ogg'));
  it.each(['webm', 'm4a'] as const)(
    'reads as much of a cut off %s as is there',
    { tags: ['long'] },
    expectCutOff,
  );

  async function expectCutOff(format: 'ogg' | 'webm' | 'm4a'): Promise<void> {
    const whole = await repeatAudio(format, 12);
    expect((await diarize(whole, {}, [])).warnings).toEqual([]);
    const input = whole.slice(0, Math.floor(whole.size * 0.6));
    const { durationSeconds } = await serverAudio.probe(input, {});
    expect(durationSeconds).toBeGreaterThan(3);
    expect(durationSeconds).toBeLessThan(4);
    const { output, warnings } = await diarize(input, {}, []);
    expect(output).toMatchObject({ ok: true });
    const read = durationSeconds.toFixed(1);
    expect(getMessages(warnings)).toEqual([
      `The audio is cut off: the result covers the ${read} s that could be read.`,
    ]);
  }

  it.each(['tone.wav', 'tone.mp3', 'tone.flac', 'older-192k.flac', 'noise.amr', 'tone.aiff', 'tone.wma'])(
    'says that %s is cut off',
    { tags: ['long'] },
    async (name) => {
      const whole = await audioFixture(name);
      const { warnings } = await diarize(whole.slice(0, Math.floor(whole.size * 0.6)), {}, []);
      expect(getMessages(warnings)).toEqual([expect.stringContaining('The audio is cut off: ')]);
      expect((await diarize(whole, {}, [])).warnings).toEqual([]);
    },
  );

  it('finds the turns in the part of a recording that is there', async () => {
    const whole = recording(14, TURNS);
    const { output, warnings } = await diarize(whole.slice(0, 44 + 2 * RATE * 4));
    expect(output).toMatchObject({ ok: true, speakers: 1 });
    expect(output.segments.at(-1).end).toBeLessThanOrEqual(4);
    expect(getMessages(warnings)).toEqual([
      'The audio is cut off: the result covers the 4.0 s that could be read.',
    ]);
  });

  async function expectAsManySpeakers(talk: Blob): Promise<void> {
    for (const speaker_count of [1, 2, 5]) {
      expect((await diarize(talk, { speaker_count }, [])).output.speakers).toBe(speaker_count);
    }
  }

  it('finds as many speakers as the request says', { tags: ['long'] }, async () => {
    await expectAsManySpeakers(wav(await conversation(1)));
  });

  it.skipIf(TALK.isMissing)(
    TALK.titled('finds speech, and as many speakers as the request says'),
    { tags: ['long'] },
    async () => {
      const talk = await openAsBlob(TALK.path);
      const { output } = await diarize(talk, {}, []);
      expect(output.speakers).toBeGreaterThan(1);
      expect(output.segments[0]).toMatchObject({ speaker: 0, start: expect.closeTo(1.7, 0) });
      expect(output.segments.at(-1).end).toBeCloseTo(18, 0);
      await expectAsManySpeakers(talk);
    },
  );

  it('ends no segment after a recording that stops within speech', async () => {
    const samples = (await conversation(1)).slice(7 * RATE, 8 * RATE);
    expect((await diarize(wav(samples), {}, [])).output.segments.at(-1).end).toBe(1);
  });

  it.skipIf(TALK.isMissing)(
    TALK.titled('ends no segment after a talk that stops within speech'),
    { tags: ['long'] },
    async () => {
      const pcm = await (await openAsBlob(TALK.path)).arrayBuffer();
      const data = pcm.slice(44 + 2 * RATE * 2, 44 + 2 * RATE * 3);
      const second = new Blob([writeWavHeader({ sampleRate: RATE, channelCount: 1 }, data.byteLength), data]);
      const { output } = await diarize(second, {}, []);
      expect(output.segments.at(-1).end).toBe(1);
    },
  );
});

describe('audio-diarize', () => {
  it.each([0, 21, 2.5, '2', null])('refuses a speaker_count of %j', async (speaker_count) => {
    const input = recording(1, []);
    await expect(audioDiarize.quote(input, { speaker_count })).rejects.toThrow(/^speaker_count: /);
  });

  it.each([
    [0.5, 5_000n],
    [5, 25_000n],
    [5.06, 30_000n],
  ])('bills %d s as started seconds', async (seconds, price) => {
    const input = wav(new Float32Array(Math.round(seconds * RATE)));
    expect((await audioDiarize.quote(input, {})).price).toBe(price);
  });

  it('ends when the caller no longer waits', async () => {
    const stop = new AbortController();
    const runtime = createNodeRuntime({ signal: stop.signal, inference: createDiarizationInference([]) });
    const progress = () => stop.abort();
    const running = audioDiarize.execute(recording(20, TURNS), {}, { ...runtime, progress });
    await expect(running).rejects.toThrow(/abort/i);
  });
});
