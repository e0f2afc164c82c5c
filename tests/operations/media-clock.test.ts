import { describe, expect, test } from 'vitest';
import { probeAudio } from '../../models/media/audio/read/probe-audio.ts';
import { probeVideo } from '../../models/media/containers/video-header.ts';
import { audioFixture, decodeSamples, snr } from '../support/media/audio.ts';
import { type RemuxFormat, remux, type TestEdit, withEdits } from '../support/media/remux.ts';
import { decodeVideoFrames, videoFixture } from '../support/media/videos.ts';

const SHAPE = { sampleRate: 16_000, channelCount: 1 } as const;

const mono = async (input: Blob) => (await decodeSamples(input, SHAPE))[0] as Float32Array;

/** Containers, each with a fixture whose codec it holds. */
const SOUNDS: readonly (readonly [RemuxFormat, string])[] = [
  ['mp4', 'tone.m4a'],
  ['fragmented', 'tone.m4a'],
  ['mov', 'tone.m4a'],
  ['mkv', 'tone.m4a'],
  ['mkv', 'tone.mp3'],
  ['mkv', 'tone.flac'],
  ['webm', 'vorbis.ogg'],
  ['webm', 'opus.webm'],
  ['ogg', 'vorbis.ogg'],
  ['ogg', 'opus.ogg'],
];

describe.each(SOUNDS)('audio in %s, of %s', (format, name) => {
  test('counts from its first sample, wherever its clock starts', async () => {
    const whole = await remux(await audioFixture(name), format, (seconds) => Math.max(0, seconds));
    const late = await remux(await audioFixture(name), format, (seconds) => Math.max(0, seconds) + 600);
    const [expected, found] = [await mono(whole), await mono(late)];
    const { durationSeconds } = await probeAudio(late);
    expect(Math.abs(durationSeconds - (await probeAudio(whole)).durationSeconds)).toBeLessThan(0.002);
    expect(Math.abs(found.length - expected.length)).toBeLessThan(40);
    expect(snr(expected, found)).toBeGreaterThan(12);
  });
});

describe.each(['mp4', 'fragmented', 'mov', 'mkv'] as const)('a video in %s', (format) => {
  test('counts from its first frame, wherever its clock starts', async () => {
    const input = await videoFixture('moving.mp4');
    const late = await remux(input, format, (seconds) => Math.max(0, seconds) + 3600);
    const { durationSeconds, frameRate } = await probeVideo(late, { secondsMax: 60 });
    expect(durationSeconds).toBeCloseTo(0.48, 1);
    // Matroska need not state it.
    expect(frameRate ?? 25).toBeCloseTo(25, -1);
    const [expected, found] = [await decodeVideoFrames(input), await decodeVideoFrames(late)];
    expect(found.map(getTime)).toEqual(expected.map(getTime));
  });

  test('keeps the difference between its tracks', async () => {
    const input = await videoFixture('moving.mp4');
    const delayed = await remux(
      input,
      format,
      (seconds, kind) => Math.max(0, seconds) + (kind === 'audio' ? 10.2 : 10),
    );
    const [expected, found] = [await mono(input), await mono(delayed)];
    expect(found.subarray(0, 3000).every((sample) => Math.abs(sample) < 1e-3)).toBe(true);
    expect(snr(expected.subarray(800, 6000), found.subarray(4000, 9200))).toBeGreaterThan(0);
  });
});

const getTime = ({ timestampSeconds }: { timestampSeconds: number }) => Math.round(timestampSeconds * 1000);

const EDITS: readonly (readonly [
  string,
  readonly TestEdit[],
  frames: readonly (readonly [number, number])[],
])[] = [
  [
    'a start and a length',
    [{ seconds: 0.2, media: 0.12 }],
    [
      [0, 3],
      [40, 4],
      [80, 5],
      [120, 6],
      [160, 7],
    ],
  ],
  [
    'several edits',
    [
      { seconds: 0.08, media: 0.04 },
      { seconds: 0.08, media: 0.4 },
    ],
    [
      [0, 1],
      [40, 2],
      [80, 10],
      [120, 11],
    ],
  ],
  [
    'an empty edit between two',
    [
      { seconds: 0.08, media: 0 },
      { seconds: 0.2, media: null },
      { seconds: 0.04, media: 0.2 },
    ],
    [
      [0, 0],
      [40, 1],
      [280, 5],
    ],
  ],
  [
    'its own order',
    [
      { seconds: 0.08, media: 0.24 },
      { seconds: 0.08, media: 0 },
    ],
    [
      [0, 6],
      [40, 7],
      [80, 0],
      [120, 1],
    ],
  ],
  [
    'an empty edit at the start',
    [
      { seconds: 1, media: null },
      { seconds: 0.08, media: 0.04 },
    ],
    [
      [0, 1],
      [40, 2],
    ],
  ],
];

describe.each(EDITS)('an edit list with %s', (_title, edits, frames) => {
  const seconds = ((frames.at(-1)?.[0] ?? 0) + 40) / 1000;

  test('cuts a video, its price and its limits', async () => {
    const whole = await remux(await videoFixture('moving.mp4'), 'mp4', (time, kind) =>
      kind === 'video' ? time : null,
    );
    const cut = await withEdits(whole, edits);
    const facts = await probeVideo(cut, { secondsMax: 60 });
    expect(facts.durationSeconds).toBeCloseTo(seconds, 3);
    const [all, shown] = [await decodeVideoFrames(whole), await decodeVideoFrames(cut)];
    expect(shown.map(getTime)).toEqual(frames.map(([time]) => time));
    for (const [at, [, source]] of frames.entries()) expect(shown[at]?.data).toEqual(all[source]?.data);
  });

  test('cuts audio, and its price', async () => {
    const source = await remux(await audioFixture('tone.flac'), 'mp4', (time) => time);
    const cut = await withEdits(source, edits);
    expect((await probeAudio(cut)).durationSeconds).toBeCloseTo(seconds, 3);
    const [all, heard] = [await mono(source), await mono(cut)];
    expect(Math.abs(heard.length - seconds * SHAPE.sampleRate)).toBeLessThan(2);
    for (const [time, frame] of frames) {
      // The middle of each 40 ms, away from the resampler's edges.
      const expected = all.subarray(frame * 640 + 200, frame * 640 + 440);
      const found = heard.subarray(time * 16 + 200, time * 16 + 440);
      expect(snr(expected, found)).toBeGreaterThan(25);
    }
  });
});
