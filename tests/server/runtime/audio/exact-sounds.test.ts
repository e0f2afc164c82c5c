import { openAsBlob } from 'node:fs';
import { AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { describe, expect, test } from 'vitest';
import { getMessages } from '../../../../models/core/runtime/run-warnings.ts';
import { probeAudio } from '../../../../models/media/audio/read/probe-audio.ts';
import { writeWavHeader } from '../../../../models/media/audio/write-audio.ts';
import { decodeSamples, getWav, levelChange, serverAudio } from '../../../support/media/audio.ts';
import { audioFile } from '../../../support/media/chirp-files.ts';
import { AAC_CENTRES, EXACT_SOUNDS, getSine, soundIn } from '../../../support/media/exact-sounds.ts';
import { sharedData } from '../../../support/media/shared-data.ts';
import { encodeVideo, movingFrames } from '../../../support/media/videos.ts';

const STEREO = { sampleRate: 44_100, channelCount: 2 } as const;
const { signal } = new AbortController();
const getPeak = (channels: readonly Float32Array[]) =>
  channels.flatMap((samples) => [...samples]).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
const shared = sharedData('cases/round4/media');

describe('a sound has all of its samples, and no others', () => {
  test.each(Object.entries(EXACT_SOUNDS))('%s', async (_, { file, sampleRate, samples }) => {
    const input = await file();
    const [decoded] = await decodeSamples(input, { sampleRate, channelCount: 1 });
    expect(decoded).toHaveLength(samples);
    expect((await probeAudio(input)).durationSeconds).toBeCloseTo(samples / sampleRate, 5);
    expect(levelChange(getSine(samples, sampleRate), decoded as Float32Array)).toBeCloseTo(0, 1);
  });

  test.skipIf(shared.isMissing).each([
    ['opus-end-trim.webm', 43_182],
    ['opus-end-trim.ogg', 43_182],
    ['m4a-edit-list.m4a', 60_031],
  ])(shared.titled('%s'), async (name, samples) => {
    const [left] = await decodeSamples(await openAsBlob(`${shared.path}/${name}`), STEREO);
    expect(left).toHaveLength(samples);
  });
});

test.each(AAC_CENTRES)('the centre of AAC %s is on both sides', async (_, channels, recipe) => {
  const [left, right] = await decodeSamples(await soundIn(2, channels, recipe), {
    sampleRate: 48_000,
    channelCount: 2,
  });
  const sine = getSine(48_000, 48_000, 0.3 * Math.SQRT1_2);
  expect(levelChange(sine, left as Float32Array)).toBeCloseTo(0, 0);
  expect(levelChange(sine, right as Float32Array)).toBeCloseTo(0, 0);
});

describe('a big-endian WAV file', () => {
  const expectRefused = async (file: Blob) =>
    await expect(serverAudio.probe(file, {})).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('big-endian'),
    });

  test('is refused with words, since it would be noise', async () => {
    const bytes = Buffer.from(await getWav([getSine(4410, 44_100)], 44_100).arrayBuffer());
    bytes.write('RIFX', 0, 'latin1');
    await expectRefused(new Blob([new Uint8Array(bytes)]));
  });

  test.skipIf(shared.isMissing)(shared.titled('rifx-tone.wav is refused'), async () => {
    await expectRefused(await openAsBlob(`${shared.path}/rifx-tone.wav`));
    const [left] = await decodeSamples(await openAsBlob(`${shared.path}/tone-le.wav`), STEREO);
    expect(left).toHaveLength(44_100);
  });
});

test('floating point that no sound has is silent', async () => {
  const samples = getSine(44_100, 44_100);
  samples[20_000] = 3e38;
  samples[20_001] = Number.NaN;
  const head = Buffer.from(writeWavHeader({ sampleRate: 44_100, channelCount: 1 }, samples.byteLength));
  for (const [at, value] of [
    [20, 3],
    [32, 4],
    [34, 32],
  ] as const)
    head.writeUInt16LE(value, at);
  head.writeUInt32LE(4 * 44_100, 28);
  const channels = await decodeSamples(new Blob([new Uint8Array(head), samples]), STEREO);
  expect(getPeak(channels)).toBeCloseTo(0.3, 2);
  expect(channels[0]).toHaveLength(44_100);
});

describe('the sound of a video that is coded again', () => {
  const frames = () => movingFrames(64, 48, Array(25).fill(0.04));
  const surround = async () => {
    const loud = getSine(48_000, 48_000, 0.5);
    const recipe = {
      encoder: 'flac',
      muxer: 'matroska',
      sampleFormat: AV_SAMPLE_FMT_S16,
      sampleRate: 48_000,
    };
    return new Blob([await audioFile(recipe, [loud, loud, loud, new Float32Array(48_000), loud, loud])]);
  };

  test('is mixed and lowered with words, so that nothing exceeds full scale', async () => {
    const { blob, warnings } = await encodeVideo(frames(), { format: 'webm', soundFrom: await surround() });
    expect(getMessages(warnings)).toEqual([
      'The audio was re-encoded as opus, since webm does not hold flac.',
      'The 6 channels of the audio were mixed to stereo.',
      expect.stringMatching(/^The audio exceeds full scale. It was lowered by 2.\d dB/),
    ]);
    expect(getPeak(await decodeSamples(blob, STEREO))).toBeLessThan(1);
  });

  test.skipIf(shared.isMissing)(shared.titled('surround-half-scale.mkv stays below full scale'), async () => {
    const soundFrom = await openAsBlob(`${shared.path}/surround-half-scale.mkv`);
    const { blob, warnings } = await encodeVideo(frames(), { format: 'mp4', soundFrom });
    expect(warnings.map(({ kind }) => kind)).toEqual(['reencoded_audio', 'downmixed_audio', 'lowered_audio']);
    expect(getPeak(await decodeSamples(blob, STEREO))).toBeLessThan(1);
    const copied = await encodeVideo(frames(), { format: 'webm', soundFrom });
    expect((await serverAudio.decode(copied.blob, { ...STEREO, signal })).facts.channelCount).toBe(6);
  });
});
