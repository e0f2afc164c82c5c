import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ALL_FORMATS,
  AudioSample,
  AudioSampleSource,
  BlobSource,
  BufferTarget,
  Input,
  MkvOutputFormat,
  Output,
} from 'mediabunny';
import { AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { afterAll, describe, expect, test } from 'vitest';
import { generateTone } from '../../../../lab/fixtures/audio-pattern.ts';
import { writeAudioFile } from '../../../../lab/fixtures/write-audio-file.ts';
import { levelChange, serverAudio } from '../../../support/media/audio.ts';
import { getList, riffChunk, soundHeader } from '../../../support/media/avi-files.ts';
import { joinStreams } from '../../../support/media/join-streams.ts';
import { sharedData } from '../../../support/media/shared-data.ts';
import { encodeVideo, movingFrames } from '../../../support/media/videos.ts';

const RATE = 48_000;
const { signal } = new AbortController();

interface Track {
  readonly amplitude: number;
  readonly language: string;
  readonly name?: string;
}

/** Makes a Matroska file of tones, the first of which players begin with. */
async function fileOf(...tracks: readonly Track[]): Promise<Blob> {
  const target = new BufferTarget();
  const output = new Output({ format: new MkvOutputFormat(), target });
  const sources = tracks.map(({ language, name }, at) => {
    const source = new AudioSampleSource({ codec: 'pcm-s16' });
    const disposition = { default: at === 0 };
    output.addAudioTrack(source, { languageCode: language, ...(name && { name }), disposition });
    return source;
  });
  await output.start();
  for (const [at, source] of sources.entries()) {
    const data = generateTone(at, RATE).map((sample) => sample * (tracks[at]?.amplitude ?? 0));
    await source.add(
      new AudioSample({ data, format: 'f32', numberOfChannels: 1, sampleRate: RATE, timestamp: 0 }),
    );
  }
  await output.finalize();
  return new Blob([target.buffer ?? new ArrayBuffer(0)]);
}

const SILENT = { amplitude: 0, language: 'eng' } as const;
const LOUD = { amplitude: 1, language: 'deu', name: 'Kom\u0007mentar' } as const;

async function hear(input: Blob) {
  const audio = await serverAudio.decode(input, { sampleRate: RATE, channelCount: 1, signal });
  const chunks: Float32Array[] = [];
  for await (const [samples] of audio.chunks()) if (samples) chunks.push(samples);
  const [samples = new Float32Array(0)] = chunks;
  return { samples, warnings: audio.warnings().map(({ message }) => message) };
}

describe('of several tracks', () => {
  test('the one that players begin with is heard, and named', async () => {
    const { samples, warnings } = await hear(await fileOf({ ...LOUD, amplitude: 0.5 }, LOUD));
    expect(levelChange(generateTone(0, RATE), samples)).toBeCloseTo(-6, 1);
    expect(warnings).toEqual(['The file has 2 audio tracks. Only number 1 (Kommentar, deu) was used.']);
  });

  test('the first that is not silent is heard', async () => {
    const { samples, warnings } = await hear(await fileOf(SILENT, SILENT, LOUD, LOUD));
    expect(levelChange(generateTone(2, RATE), samples)).toBeCloseTo(0, 1);
    expect(warnings).toEqual(['The file has 4 audio tracks. Only number 3 (Kommentar, deu) was used.']);
  });

  test('the first is kept where all are silent', async () => {
    const { warnings } = await hear(await fileOf(SILENT, SILENT));
    expect(warnings).toEqual(['The file has 2 audio tracks. Only number 1 (eng) was used.']);
  });

  test('a video keeps the same', async () => {
    const soundFrom = await fileOf(SILENT, LOUD);
    const { blob, warnings } = await encodeVideo(movingFrames(64, 48, [0.25, 0.25]), { soundFrom });
    const track = await new Input({
      source: new BlobSource(blob),
      formats: ALL_FORMATS,
    }).getPrimaryAudioTrack();
    expect(await track?.getLanguageCode()).toBe('deu');
    const { samples } = await hear(blob);
    expect(levelChange(generateTone(1, RATE), samples)).toBeCloseTo(0, 0);
    expect(warnings.map(({ kind }) => kind)).toEqual(['dropped_tracks', 'reencoded_audio']);
  });

  const shared = sharedData('cases/media/silent-track-first.mkv');
  test.skipIf(shared.isMissing)(
    shared.titled('the second of a real file is heard'),
    { tags: ['long'] },
    async () => {
      const { warnings } = await hear(await openAsBlob(shared.path));
      expect(warnings).toMatchObject([expect.stringContaining('Only number 2')]);
    },
  );
});

/** Container, encoder, format of samples, and rate of files that mediabunny does not read. */
const OTHERS = [
  ['mpegts', 'mp2', AV_SAMPLE_FMT_S16],
  ['mpeg', 'mp2', AV_SAMPLE_FMT_S16],
  ['avi', 'pcm_s16le', AV_SAMPLE_FMT_S16],
  ['asf', 'wmav2', AV_SAMPLE_FMT_FLTP],
  ['ogg', 'flac', AV_SAMPLE_FMT_S16],
] as const;

describe('of several tracks in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-tracks-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(OTHERS)('%s the first that is not silent is heard', async (muxer, encoder, sampleFormat) => {
    const paths = [0, 0.8].map((amplitude, at) => {
      const path = join(folder, `${muxer}-${at}.mkv`);
      const tone = generateTone(1, RATE, 1 + at).map((sample) => sample * amplitude);
      const recipe = {
        muxer: encoder === 'mp2' ? 'mp2' : 'matroska',
        encoder,
        sampleFormat,
        sampleRate: RATE,
      };
      writeAudioFile(path, { ...recipe, bitsPerSecond: 192_000n }, [tone]);
      return path;
    });
    const path = join(folder, muxer);
    joinStreams(paths, path, muxer);
    const file = await openAsBlob(path);
    const { samples, warnings } = await hear(file);
    expect(levelChange(generateTone(1, RATE), samples)).toBeCloseTo(20 * Math.log10(0.8), 0);
    expect(warnings).toEqual(['The file has 2 audio tracks. Only number 2 was used.']);
    // Which one is heard is not known before decoding: the price counts the longest.
    expect((await serverAudio.probe(file, {})).durationSeconds).toBeCloseTo(2, 0);
  });

  test('different lengths a shorter one is not said to be cut off', async () => {
    const paths = [1, 3].map((seconds) => {
      const path = join(folder, `${seconds}.mkv`);
      const recipe = {
        muxer: 'matroska',
        encoder: 'pcm_s16le',
        sampleFormat: AV_SAMPLE_FMT_S16,
        sampleRate: RATE,
      };
      writeAudioFile(path, recipe, [generateTone(1, RATE, seconds)]);
      return path;
    });
    const path = join(folder, 'lengths.mkv');
    joinStreams(paths, path, 'matroska');
    const { warnings } = await hear(await openAsBlob(path));
    expect(warnings).toEqual(['The file has 2 audio tracks. Only number 1 was used.']);
  });

  test('AVI one is named as the file names it', async () => {
    const coding = { tag: 1, bits: 16, sampleRate: RATE };
    const [first, second] = ['Main', 'Kommentar'].map((name) =>
      soundHeader(coding, RATE, riffChunk('strn', new TextEncoder().encode(`${name}\0`))),
    );
    const hdrl = getList('hdrl', first as Uint8Array, second as Uint8Array);
    const sounds = ['00wb', '01wb'].map((id) => riffChunk(id, new Uint8Array(2 * RATE)));
    const file = riffChunk('RIFF', new TextEncoder().encode('AVI '), hdrl, getList('movi', ...sounds));
    const { track } = await serverAudio.probe(new Blob([file]), { trackNumber: 2 });
    expect(track).toEqual({ number: 2, count: 2, label: 'Kommentar' });
  });
});
