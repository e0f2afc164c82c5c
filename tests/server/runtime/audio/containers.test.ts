import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AV_SAMPLE_FMT_S32,
  type AVSampleFormat,
} from 'node-av/constants';
import { afterAll, describe, expect, test } from 'vitest';
import { generateTone } from '../../../../lab/fixtures/audio-pattern.ts';
import { writeAudioFile } from '../../../../lab/fixtures/write-audio-file.ts';
import { openFile } from '../../../../server/base/open-file.ts';
import { decodeSamples, serverAudio, snr } from '../../../support/media/audio.ts';
import { remux } from '../../../support/media/remux.ts';
import { sharedData } from '../../../support/media/shared-data.ts';

const SECONDS = 2;
const folder = mkdtempSync(join(tmpdir(), 'darkroom-containers-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Container and codec by FFmpeg's names, format of samples, rate, codec in the facts, and least SNR in dB. */
type Case = readonly [string, string, AVSampleFormat, number, string, number];

const [S16, S16P, S32, FLT, FLTP] = [
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AV_SAMPLE_FMT_S32,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
];
const CASES: readonly Case[] = [
  ['wav', 'adpcm_ms', S16, 44_100, 'adpcm_ms', 25],
  ['wav', 'adpcm_ima_wav', S16P, 44_100, 'adpcm_ima_wav', 25],
  ['wav', 'pcm_alaw', S16, 44_100, 'alaw', 30],
  ['wav', 'libmp3lame', FLTP, 44_100, 'mp3', 0],
  ['wav', 'mp2', S16, 48_000, 'mp2', 0],
  ['wav', 'ac3', FLTP, 48_000, 'ac3', 0],
  ['w64', 'pcm_s16le', S16, 44_100, 'pcm_s16le', 80],
  ['w64', 'pcm_f32le', FLT, 44_100, 'pcm_f32le', 90],
  ['au', 'pcm_s16be', S16, 44_100, 'pcm_s16be', 80],
  ['au', 'pcm_mulaw', S16, 44_100, 'pcm_mulaw', 30],
  ['caf', 'pcm_s16be', S16, 44_100, 'pcm_s16be', 80],
  ['caf', 'alac', S16P, 44_100, 'alac', 80],
  ['aiff', 'pcm_alaw', S16, 44_100, 'pcm_alaw', 30],
  ['aiff', 'pcm_f32be', FLT, 44_100, 'pcm_f32be', 90],
  ['aiff', 'adpcm_ima_qt', S16P, 44_100, 'adpcm_ima_qt', 25],
  ['mp2', 'mp2', S16, 48_000, 'mp2', 0],
  ['ogg', 'flac', S16, 44_100, 'flac', 80],
  ['tta', 'tta', S16, 44_100, 'tta', 80],
  ['wv', 'wavpack', S16P, 44_100, 'wavpack', 80],
  ['mpegts', 'mp2', S16, 48_000, 'mp2', 0],
  ['mpegts', 'ac3', FLTP, 48_000, 'ac3', 0],
  ['mpeg', 'mp2', S16, 48_000, 'mp2', 0],
  ['avi', 'pcm_s16le', S16, 44_100, 'pcm_s16le', 80],
  ['avi', 'libmp3lame', FLTP, 44_100, 'mp3', 0],
  ['flv', 'libmp3lame', FLTP, 44_100, 'mp3', 0],
  ['mov', 'pcm_s24be', S32, 44_100, 'pcm-s24be', 90],
  ['mov', 'alac', S16P, 44_100, 'alac', 80],
  ['matroska', 'mp2', S16, 48_000, 'A_MPEG/L2', 0],
  ['matroska', 'eac3', FLTP, 48_000, 'eac3', 0],
  ['matroska', 'pcm_f32le', FLT, 44_100, 'pcm-f32', 90],
];

async function writeCase([muxer, encoder, sampleFormat, sampleRate]: Case): Promise<Blob> {
  const path = join(folder, `${muxer}-${encoder}`);
  const channels = [0, 1].map((channel) => generateTone(channel, sampleRate, SECONDS));
  writeAudioFile(path, { muxer, encoder, sampleFormat, sampleRate, bitsPerSecond: 192_000n }, channels);
  return await openAsBlob(path);
}

describe('what FFmpeg decodes is read:', () => {
  test.each(CASES)('%s with %s', async (...row) => {
    const [, , , sampleRate, codec, leastSnr] = row;
    const file = await writeCase(row);
    const facts = await serverAudio.probe(file, {});
    expect(facts).toMatchObject({ codec, sampleRate, channelCount: 2, hasVideo: false });
    expect(Math.abs(facts.durationSeconds - SECONDS)).toBeLessThan(0.13);
    const decoded = await decodeSamples(file, { sampleRate, channelCount: 2 });
    for (const [channel, samples] of decoded.entries()) {
      expect(Math.abs(samples.length / sampleRate - SECONDS)).toBeLessThan(0.13);
      if (leastSnr === 0) expect(toneSnr(channel, sampleRate, samples)).toBeGreaterThan(15);
      else expect(snr(generateTone(channel, sampleRate, SECONDS), samples)).toBeGreaterThan(leastSnr);
    }
  });

  test('G.722 in WAV, whose header states half of its length', async () => {
    const path = join(folder, 'g722.wav');
    writeAudioFile(path, { muxer: 'wav', encoder: 'g722', sampleFormat: S16, sampleRate: 16_000 }, [
      generateTone(0, 16_000, SECONDS),
    ]);
    const file = await openAsBlob(path);
    expect((await serverAudio.probe(file, {})).durationSeconds).toBeCloseTo(SECONDS, 2);
    const [samples] = await decodeSamples(file, { sampleRate: 16_000, channelCount: 1 });
    expect((samples?.length ?? 0) / 16_000).toBeCloseTo(SECONDS, 2);
  });

  test('FLAC in Matroska, whose last packet is short', async () => {
    const flac = await writeCase(['flac', 'flac', S16, 44_100, 'flac', 0]);
    const file = await remux(flac, 'mkv', (seconds) => seconds);
    expect((await serverAudio.probe(file, {})).durationSeconds).toBeCloseTo(SECONDS, 2);
  });

  test('a transport stream of AAC in the form of LATM is refused with words', async () => {
    const adts = await writeCase(['mpegts', 'aac', FLTP, 48_000, 'aac', 0]);
    expect((await serverAudio.probe(adts, {})).durationSeconds).toBeCloseTo(SECONDS, 1);
    const bytes = Buffer.from(await adts.arrayBuffer());
    // Type and id of the stream in the map of the program, which may come several times.
    for (let at = bytes.indexOf('0fe100', 'hex'); at >= 0; at = bytes.indexOf('0fe100', at, 'hex')) {
      bytes[at] = 0x11;
    }
    await expect(serverAudio.probe(new Blob([bytes]), {})).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('no audio in AAC, MP3, MP2 or AC-3'),
    });
  });

  test.each([
    ['wmav1', 44_100],
    ['wmav2', 44_100],
    ['wmav2', 16_000],
    ['wmav2', 22_050],
  ])('a click in %s of FFmpeg at %d Hz is where it was', async (encoder, sampleRate) => {
    const path = join(folder, `${encoder}-${sampleRate}.wma`);
    const click = new Float32Array(2 * sampleRate);
    click.fill(0.8, sampleRate, sampleRate * 1.01);
    writeAudioFile(path, { muxer: 'asf', encoder, sampleFormat: FLTP, sampleRate }, [click]);
    const [samples] = await decodeSamples(await openAsBlob(path), { sampleRate, channelCount: 1 });
    const first = samples?.findIndex((sample) => Math.abs(sample) > 0.4) ?? 0;
    expect(Math.abs(first / sampleRate - 1)).toBeLessThan(0.004);
  });

  test('a file that is cut off says so', async () => {
    const file = await writeCase(['wav', 'adpcm_ms', S16, 44_100, 'adpcm_ms', 0]);
    const audio = await serverAudio.decode(file.slice(0, file.size / 2), {
      sampleRate: 44_100,
      channelCount: 2,
      signal: new AbortController().signal,
    });
    for await (const _ of audio.chunks());
    expect(audio.warnings()).toMatchObject([{ kind: 'cut_off', names: ['1.0'] }]);
  });

  test('AAC without frame headers in WAV is named', async () => {
    const file = Buffer.from(await (await writeCase(['wav', 'adpcm_ms', S16, 44_100, '', 0])).arrayBuffer());
    file.writeUInt16LE(0xff, file.indexOf('fmt ') + 8);
    await expect(serverAudio.probe(new Blob([file]), {})).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('AAC without frame headers in WAV, which is not supported'),
    });
  });

  const gsm = sharedData('cases/media/gsm.wav');
  test.skipIf(gsm.isMissing)(gsm.titled('a WAV file with GSM, all of it'), { tags: ['long'] }, async () => {
    const [samples] = await decodeSamples(await openAsBlob(gsm.path), { sampleRate: 8000, channelCount: 1 });
    expect((samples?.length ?? 0) / 8000).toBeCloseTo(18.578, 2);
  });
});

test.each([
  ['a MIDI file', 'MThd'],
  ['a Creative Voice file', 'Creative Voice File'],
])('%s is named, which is not read', async (name, mark) => {
  await expect(serverAudio.probe(new Blob([mark.padEnd(64, '\0')]), {})).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining(`${name}, which is not supported`),
  });
});

/** Signal-to-noise ratio against the tone at the delay that fits best: codecs of some containers keep theirs. */
function toneSnr(channel: number, sampleRate: number, samples: Float32Array): number {
  const tone = generateTone(channel, sampleRate, SECONDS);
  let best = Number.NEGATIVE_INFINITY;
  for (let delay = 0; delay < 3000; delay += 1) {
    best = Math.max(best, snr(tone.subarray(20_000, 24_000), samples.subarray(20_000 + delay)));
  }
  return best;
}

/** Writes a Flash video with 10 s of sound, whose pictures come half a second before the sound of the same time. */
function writeLeadingFlash(): Blob {
  const tag = (type: number, milliseconds: number, body: Buffer) => {
    const head = Buffer.alloc(11);
    head.writeUInt8(type);
    head.writeUIntBE(body.length, 1, 3);
    head.writeUIntBE(milliseconds, 4, 3);
    const end = Buffer.alloc(4);
    end.writeUInt32BE(head.length + body.length);
    return Buffer.concat([head, body, end]);
  };
  // Plain samples of 8 bits at 11,025 Hz, and pictures of which nothing is decoded.
  const sound = Buffer.concat([Buffer.from([0x34]), Buffer.alloc(1102, 128)]);
  const picture = Buffer.from([0x12, 0, 0, 0x84, 0]);
  const tags = Array.from({ length: 105 }, (_, at) => [
    tag(9, at * 100, picture),
    ...(at < 5 ? [] : [tag(8, (at - 5) * 100, sound)]),
  ]);
  return new Blob([Buffer.from('464c5601050000000900000000', 'hex'), ...tags.flat()]);
}

test('a file is too long by its sound, whose packets come behind those of its pictures', async () => {
  const file = writeLeadingFlash();
  const { durationSeconds, hasVideo } = await serverAudio.probe(file, {});
  expect(durationSeconds).toBeCloseTo(10, 1);
  expect(hasVideo).toBe(true);
  await expect(serverAudio.probe(file, { secondsMax: 5 })).rejects.toThrow('At most');
});

test('a file that is opened by its path is measured in its place', async () => {
  const path = join(folder, 'talk: part 1.wv');
  const channels = [generateTone(0, 44_100, SECONDS)];
  writeAudioFile(path, { muxer: 'wv', encoder: 'wavpack', sampleFormat: S16P, sampleRate: 44_100 }, channels);
  const file = await openFile(relative('.', path));
  expect(await serverAudio.probe(file, {})).toMatchObject({ codec: 'wavpack', durationSeconds: SECONDS });
});
