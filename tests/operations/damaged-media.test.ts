import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { describe, expect, test } from 'vitest';
import { probeAudio } from '../../models/files/audio/read/probe-audio.ts';
import { parseElementHead, SEGMENT } from '../../models/files/containers/element-head.ts';
import { probeVideo } from '../../models/files/containers/video-header.ts';
import { seededRandom } from '../../models/kernels/seeded-random.ts';
import { openVideoTrack, packetsOf } from '../../models/media/open-input.ts';
import { messagesOf } from '../../models/runtime/run-warnings.ts';
import type { VideoFrame } from '../../models/runtime/video-codec.ts';
import { generateTone } from '../../scripts/fixtures/audio-pattern.ts';
import { writeAudioFile } from '../../scripts/fixtures/write-audio-file.ts';
import { createVideoCodec } from '../../server/runtime/video/index.ts';
import { decodeSamples, serverAudio, snr } from '../support/media/audio.ts';
import { CHIRP_RATE, type ChirpFormat, chirpFile } from '../support/media/chirp-files.ts';
import { psnr } from '../support/media/images.ts';
import { remux, withEdits } from '../support/media/remux.ts';
import { encodeVideo, movingFrames } from '../support/media/videos.ts';

const SHAPE = { sampleRate: CHIRP_RATE, channelCount: 1 } as const;
const { signal } = new AbortController();

const samplesOf = async (file: Blob) => (await decodeSamples(file, SHAPE))[0] as Float32Array;
const between = (samples: Float32Array, from: number, to: number) =>
  samples.subarray(Math.round(from * CHIRP_RATE), Math.round(to * CHIRP_RATE));

async function warningsOf(file: Blob): Promise<readonly string[]> {
  const audio = await serverAudio.decode(file, { ...SHAPE, signal });
  for await (const _ of audio.chunks());
  return messagesOf(audio.warnings());
}

/** Replaces a part of a file by noise. */
function damaged(bytes: Uint8Array, from: number, to: number, seed: number): Uint8Array<ArrayBuffer> {
  const random = seededRandom(seed);
  return Uint8Array.from(bytes, (byte, at) => (at >= from && at < to ? Math.floor(256 * random()) : byte));
}

test('noise in stereo AAC does not keep the rest from being heard', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-noise-'));
  const path = join(folder, 'stereo.m4a');
  const recipe = { encoder: 'aac', muxer: 'ipod', sampleFormat: AV_SAMPLE_FMT_FLTP, bitsPerSecond: 128_000n };
  const tones = [0, 1].map((channel) => generateTone(channel, CHIRP_RATE, 6));
  writeAudioFile(path, { ...recipe, sampleRate: CHIRP_RATE, channelCount: 2 }, tones);
  const bytes = new Uint8Array(readFileSync(path));
  rmSync(folder, { recursive: true });
  const whole = await samplesOf(new Blob([bytes]));
  for (let seed = 1; seed <= 60; seed++) {
    const found = await samplesOf(new Blob([damaged(bytes, 9000, bytes.length / 2, seed)]));
    expect(snr(between(whole, 4, 5.5), between(found, 4, 5.5))).toBeGreaterThan(10);
  }
});

test('ones in a Matroska file, which readers of it refuse, are silent and named', async () => {
  const bytes = await chirpFile('mkv', 12);
  const [from, to] = [0.25, 0.27].map((share) => Math.floor(bytes.length * share)) as [number, number];
  const file = new Blob([
    damaged(bytes.slice().fill(255, from, to), bytes.length * 0.66, bytes.length * 0.7, 3),
  ]);
  expect((await probeAudio(file)).durationSeconds).toBeCloseTo(12, 1);
  expect(await warningsOf(file)).toEqual([
    expect.stringMatching(/is damaged: .* from [23]\.\d to 3\.\d s, 7\.\d/),
  ]);
  const [whole, found] = [await samplesOf(new Blob([bytes])), await samplesOf(file)];
  const best = Math.max(
    ...Array.from({ length: 97 }, (_, at) => (at - 48) / CHIRP_RATE).map((step) =>
      snr(between(whole, 9.5, 11.5), between(found, 9.5 + step, 11.5 + step)),
    ),
  );
  expect(best).toBeGreaterThan(10);
});

test('ALAC that an edit list cuts is heard from there on, without a gap', async () => {
  const file = new Blob([await chirpFile('alac', 4)]);
  const whole = await samplesOf(file);
  const cut = await samplesOf(await withEdits(file, [{ seconds: 2, media: 1 }]));
  expect(Math.abs(cut.length - 2 * CHIRP_RATE)).toBeLessThan(CHIRP_RATE * 0.1);
  expect(snr(between(whole, 1.1, 2.9), between(cut, 0.1, 1.9))).toBeGreaterThan(40);
});

/** Moves all blocks of a Matroska file back. */
function movedBack(bytes: Buffer, milliseconds: number): Buffer {
  const moved = Buffer.from(bytes);
  const walk = (start: number, end: number, clusterAt: number) => {
    let base = clusterAt;
    for (let at = start; at < end; ) {
      const head = parseElementHead(bytes.subarray(at, at + 12));
      if (!head) return;
      const body = at + head.bytes;
      const next = body + (head.size ?? end - body);
      if (head.id === SEGMENT || head.id === 0x1f43b675 || head.id === 0xa0) walk(body, next, base);
      if (head.id === 0xe7) {
        const size = next - body;
        base = bytes.readUIntBE(body, size);
        moved.writeUIntBE(Math.max(0, base - milliseconds), body, size);
      }
      // Number of the track in one byte, then the time in the cluster.
      if (head.id === 0xa3 || head.id === 0xa1)
        moved.writeInt16BE(bytes.readInt16BE(body + 1) - Math.max(0, milliseconds - base), body + 1);
      at = next;
    }
  };
  walk(0, bytes.length, 0);
  return moved;
}

describe.each<[ChirpFormat, number]>([
  ['mkv', 20],
  ['mp2 in mkv', 20],
])('%s that begins long before 0', (format, decibels) => {
  test('is heard whole, and costs as much', async () => {
    const bytes = Buffer.from(await chirpFile(format, 6));
    const early = new Blob([new Uint8Array(movedBack(bytes, 1000))]);
    expect((await probeAudio(early)).durationSeconds).toBeCloseTo(6, 1);
    const [whole, found] = [await samplesOf(new Blob([new Uint8Array(bytes)])), await samplesOf(early)];
    expect(Math.abs(found.length - whole.length)).toBeLessThan(100);
    expect(snr(between(whole, 0.2, 5.8), between(found, 0.2, 5.8))).toBeGreaterThan(decibels);
  });
});

test('a video in Matroska that begins long before 0 is shown whole', async () => {
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(30).fill(0.1)), {});
  const bytes = Buffer.from(await (await remux(blob, 'mkv', (seconds) => seconds)).arrayBuffer());
  const early = new Blob([new Uint8Array(movedBack(bytes, 1000))]);
  expect((await probeVideo(early, { secondsMax: 60 })).durationSeconds).toBeCloseTo(3, 1);
  const { frames } = await readVideo(early);
  expect(frames).toHaveLength(30);
  expect(frames[0]?.timestampSeconds).toBe(0);
});

async function readVideo(input: Blob) {
  const video = await createVideoCodec().decode(input, { signal });
  const frames: VideoFrame[] = [];
  for await (const frame of video.frames()) frames.push(frame);
  return { frames, warnings: messagesOf(video.warnings()) };
}

test('a damaged stretch of a video in Matroska costs its pictures and its sound alone, and is named', async () => {
  const sound = new Blob([await chirpFile('m4a', 8)]);
  // Each frame is a key frame where the picture changes altogether.
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(80).fill(0.1)), { soundFrom: sound });
  const whole = await remux(blob, 'mkv', (seconds) => Math.max(0, seconds));
  const bytes = new Uint8Array(await whole.arrayBuffer());
  bytes.fill(0, Math.floor(bytes.length * 0.75), Math.floor(bytes.length * 0.8));
  const input = new Blob([bytes]);
  const { frames, warnings } = await readVideo(input);
  expect(warnings).toEqual([
    expect.stringMatching(/^The video is damaged: \d\.\d s of pictures could not be read, from /),
  ]);
  expect(frames.length).toBeLessThan(80);
  expect(frames.length).toBeGreaterThan(60);
  const written = await encodeVideo(movingFrames(64, 48, Array(80).fill(0.1)), { soundFrom: input });
  expect(messagesOf(written.warnings)).toEqual([expect.stringContaining('The audio is damaged: ')]);
});

test('a damaged stretch of a video in MP4 costs its pictures alone, and is named', async () => {
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(80).fill(0.1)), {});
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const whole = await readVideo(new Blob([bytes]));
  expect(whole.warnings).toEqual([]);
  bytes.fill(0, Math.floor(bytes.length * 0.45), Math.floor(bytes.length * 0.55));
  const { frames, warnings } = await readVideo(new Blob([bytes]));
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The video is damaged: \d\.\d s of pictures could not be read, from [2-5]\.\d to /,
    ),
  ]);
  expect(frames.length).toBeLessThan(80);
  expect(frames.length).toBeGreaterThan(60);
  const last = frames.at(-1);
  expect(last?.timestampSeconds).toBeCloseTo(7.9, 2);
  expect(psnr(whole.frames.at(-1) as VideoFrame, last as VideoFrame)).toBeGreaterThan(40);
});

test('a damaged fragment of a video does not hide those behind it', async () => {
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(80).fill(0.1)), {});
  const whole = await remux(blob, 'fragmented', (seconds) => seconds);
  const bytes = Buffer.from(await whole.arrayBuffer());
  const second = bytes.indexOf('moof', bytes.indexOf('moof') + 4);
  bytes.fill(0xff, second - 4, second + 60);
  const { track, isRepaired } = await openVideoTrack(new Blob([new Uint8Array(bytes)]));
  expect(isRepaired).toBe(true);
  const { durationSeconds } = await probeVideo(new Blob([new Uint8Array(bytes)]), { secondsMax: 60 });
  expect(durationSeconds).toBeCloseTo(8, 1);
  const times: number[] = [];
  for await (const { timestamp } of packetsOf(track)) times.push(timestamp);
  expect(times.length).toBeLessThan(80);
  expect(Math.max(...times)).toBeCloseTo(7.9, 2);
});

test('FLV costs as much wherever its clock starts', async () => {
  const bytes = Buffer.from(await chirpFile('flv', 4));
  const whole = await probeAudio(new Blob([new Uint8Array(bytes)]));
  expect(whole).toMatchObject({ sampleRate: CHIRP_RATE, channelCount: 1 });
  // Behind the header of 9 bytes and a length: tags, of which those that set decoders up keep their time.
  for (let at = 13; at + 15 <= bytes.length; at += 15 + bytes.readUIntBE(at + 1, 3)) {
    const milliseconds = bytes.readUIntBE(at + 4, 3) + 600_000;
    if (bytes[at + 12] !== 0) bytes.writeUIntBE(milliseconds, at + 4, 3);
  }
  const late = await probeAudio(new Blob([new Uint8Array(bytes)]));
  expect(late.durationSeconds).toBeCloseTo(whole.durationSeconds, 2);
});

/**
 * Adds empty chunks to the end of an AVI file with one stream, and entries of its index for them.
 * @param entryAt returns the place that an entry names, from the name of the list on
 */
function withEmptyChunks(
  whole: Uint8Array,
  empties: number,
  entryAt: (listBytes: number, number: number) => number,
): Blob {
  const bytes = Buffer.from(whole);
  const movi = bytes.indexOf('movi');
  const index = bytes.indexOf('idx1', movi);
  const chunk = Buffer.from('00wb\0\0\0\0', 'latin1');
  const entries = Array.from({ length: empties }, (_, number) => {
    const entry = Buffer.concat([chunk, Buffer.alloc(8)]);
    entry.writeUInt32LE(entryAt(index - movi, number), 8);
    return entry;
  });
  const longer = (at: number, by: number) => bytes.writeUInt32LE(bytes.readUInt32LE(at) + by, at);
  longer(4, empties * 24);
  longer(movi - 4, empties * 8);
  longer(index + 4, empties * 16);
  longer(bytes.indexOf('strh') + 8 + 32, empties);
  const indexEnd = index + 8 + bytes.readUInt32LE(index + 4) - empties * 16;
  return new Blob([
    new Uint8Array(bytes.subarray(0, index)),
    new Uint8Array(Buffer.concat(Array(empties).fill(chunk))),
    new Uint8Array(bytes.subarray(index, indexEnd)),
    new Uint8Array(Buffer.concat(entries)),
    new Uint8Array(bytes.subarray(indexEnd)),
  ]);
}

test('AVI does not cost its empty chunks, of which decoders play nothing', async () => {
  const bytes = await chirpFile('mp3 in avi', 4);
  const { durationSeconds } = await probeAudio(new Blob([bytes]));
  const late = withEmptyChunks(bytes, 1000, (listBytes, number) => listBytes + number * 8);
  expect((await probeAudio(late)).durationSeconds).toBeCloseTo(durationSeconds, 2);
});

test('an empty chunk of AVI that the index lists again and again counts once', async () => {
  const bytes = await chirpFile('mp3 in avi', 4);
  const { durationSeconds } = await probeAudio(new Blob([bytes]));
  const chunks = 50;
  const repeated = withEmptyChunks(bytes, chunks, (listBytes) => listBytes);
  // A chunk has 1152 samples.
  const expected = durationSeconds + ((chunks - 1) * 1152) / CHIRP_RATE;
  expect((await probeAudio(repeated)).durationSeconds).toBeCloseTo(expected, 2);
});

test('a video of which most is damaged is refused with words', async () => {
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(80).fill(0.1)), {});
  const bytes = new Uint8Array(await blob.arrayBuffer());
  bytes.fill(0, Math.floor(bytes.length * 0.1), Math.floor(bytes.length * 0.75));
  await expect(readVideo(new Blob([bytes]))).rejects.toMatchObject({ kind: 'damaged' });
});

/** Leaves the sizes of the segment and of clusters open, as live recordings do, and removes the stated length. */
function asLive(bytes: Buffer): Buffer {
  const live = Buffer.from(bytes);
  const segment = bytes.indexOf(Buffer.from([0x18, 0x53, 0x80, 0x67])) + 4;
  const sizeBytes = Math.clz32(bytes[segment] as number) - 23;
  live.fill(0xff, segment, segment + sizeBytes);
  live[segment] = 0xff >> (sizeBytes - 1);
  const duration = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  // A void element of the same length.
  if (duration > 0) live.set([0xec, 0x89], duration);
  return live;
}

test('a live recording that is cut off costs and shows what is there, and joined ones show the first', async () => {
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(40).fill(0.1)), { format: 'webm' });
  const live = asLive(Buffer.from(await blob.arrayBuffer()));
  const cut = new Blob([new Uint8Array(live.subarray(0, Math.floor(live.length * 0.7)))]);
  const facts = await probeVideo(cut, { secondsMax: 60 });
  const { frames, warnings } = await readVideo(cut);
  expect(frames.length).toBeGreaterThan(15);
  expect(frames.length).toBeLessThan(35);
  expect(facts.frameCount).toBe(frames.length);
  expect(warnings).toEqual([expect.stringContaining('The video is cut off: ')]);
  const joined = await readVideo(new Blob([new Uint8Array(live), new Uint8Array(live)]));
  expect(joined.frames).toHaveLength(40);
  expect(joined.warnings).toEqual([]);
});

test('a video in fragments whose last one is cut off says so', async () => {
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(80).fill(0.1)), {});
  const whole = await remux(blob, 'fragmented', (seconds) => seconds);
  expect((await readVideo(whole)).warnings).toEqual([]);
  const cut = await readVideo(whole.slice(0, whole.size - 20));
  expect(cut.warnings).toEqual([expect.stringMatching(/^The video is cut off: /)]);
});

test('of fragmented videos that were joined the first is priced', async () => {
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(12).fill(0.04)), {});
  const one = await remux(blob, 'fragmented', (seconds) => seconds);
  const expected = await probeVideo(one, { secondsMax: 60 });
  expect(await probeVideo(new Blob([one, one, one]), { secondsMax: 60 })).toEqual(expected);
});

/** Checksum of an Ogg page, whose own field is 0: RFC 3533, 6. */
function checksumOf(page: Uint8Array): number {
  let sum = 0;
  for (const byte of page) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0;
}

/** Moves the pages with samples of an Ogg file back. */
function pagesMovedBack(bytes: Buffer, samples: number): Buffer {
  const moved = Buffer.from(bytes);
  for (let at = 0; at < moved.length; ) {
    const segments = moved[at + 26] as number;
    const table = moved.subarray(at + 27, at + 27 + segments);
    const end = at + 27 + segments + table.reduce((sum, length) => sum + length, 0);
    const granule = moved.readBigInt64LE(at + 6);
    if (granule > 0n) moved.writeBigInt64LE(granule - BigInt(samples), at + 6);
    moved.writeUInt32LE(0, at + 22);
    moved.writeUInt32LE(checksumOf(moved.subarray(at, end)), at + 22);
    at = end;
  }
  return moved;
}

test('FLAC in Ogg that begins before 0 is heard to its end', async () => {
  const bytes = Buffer.from(await chirpFile('flac in ogg', 6));
  const early = new Blob([new Uint8Array(pagesMovedBack(bytes, CHIRP_RATE * 1.5))]);
  expect((await probeAudio(early)).durationSeconds).toBeCloseTo(6, 1);
  const [whole, found] = [await samplesOf(new Blob([new Uint8Array(bytes)])), await samplesOf(early)];
  expect(snr(between(whole, 4, 5.9), between(found, 4, 5.9))).toBeGreaterThan(40);
});

test('a WAV file with far more behind its declared end says so', async () => {
  const wav = await chirpFile('wav', 2);
  const behind = new Blob([wav, new Uint8Array(wav.length)]);
  expect(await warningsOf(behind)).toEqual([
    'The audio ends at 2.0 s by its header. The file goes on for 193 kB, which were not read.',
  ]);
  expect(await warningsOf(new Blob([wav, new Uint8Array(1000)]))).toEqual([]);
});

test('an AVI file that is cut off costs what is there', async () => {
  const bytes = await chirpFile('avi', 6);
  const cut = new Blob([bytes.slice(0, Math.floor(bytes.length / 2))]);
  expect((await probeAudio(cut)).durationSeconds).toBeCloseTo(3, 1);
  expect(await warningsOf(cut)).toEqual([expect.stringMatching(/^The audio is cut off: .* (2\.9|3\.0) s/)]);
});

test('WMA costs as much, wherever its clock starts', async () => {
  const bytes = Buffer.from(await chirpFile('wma', 4));
  const { durationSeconds } = await probeAudio(new Blob([new Uint8Array(bytes)]));
  // Packets of the data object: each has error correction of three bytes, flags, and the send time in milliseconds.
  const head = bytes.indexOf(Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex'));
  const packetBytes = bytes.readUInt32LE(head + 92);
  const data = bytes.indexOf(Buffer.from('3626b2758e66cf11a6d900aa0062ce6c', 'hex'));
  for (let at = data + 50; at + packetBytes <= bytes.length; at += packetBytes) {
    const flags = bytes[at + 3] as number;
    const sizes = [5, 1, 3].map((shift) => [0, 1, 2, 4][(flags >> shift) & 3] as number);
    const timeAt = at + 5 + sizes.reduce((sum, size) => sum + size, 0);
    bytes.writeUInt32LE(bytes.readUInt32LE(timeAt) + 600_000, timeAt);
  }
  expect((await probeAudio(new Blob([new Uint8Array(bytes)]))).durationSeconds).toBeCloseTo(
    durationSeconds,
    3,
  );
});
