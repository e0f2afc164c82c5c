import { describe, expect, test } from 'vitest';
import { probeAudio } from '../../models/media/audio/read/probe-audio.ts';
import { parseElementHead, SEGMENT } from '../../models/media/containers/element-head.ts';
import { probeVideo } from '../../models/media/containers/video-header.ts';
import { snr } from '../support/media/audio.ts';
import { CHIRP_RATE, type ChirpFormat, chirpFile } from '../support/media/chirp-files.ts';
import { between, getSamples } from '../support/media/chirp-samples.ts';
import { remux } from '../support/media/remux.ts';
import { encodeVideo, movingFrames, readVideo } from '../support/media/videos.ts';

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
    const [whole, found] = [await getSamples(new Blob([new Uint8Array(bytes)])), await getSamples(early)];
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

/** Checksum of an Ogg page, whose own field is 0: RFC 3533, 6. */
function getChecksum(page: Uint8Array): number {
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
    moved.writeUInt32LE(getChecksum(moved.subarray(at, end)), at + 22);
    at = end;
  }
  return moved;
}

test('FLAC in Ogg that begins before 0 is heard to its end', async () => {
  const bytes = Buffer.from(await chirpFile('flac in ogg', 6));
  const early = new Blob([new Uint8Array(pagesMovedBack(bytes, CHIRP_RATE * 1.5))]);
  expect((await probeAudio(early)).durationSeconds).toBeCloseTo(6, 1);
  const [whole, found] = [await getSamples(new Blob([new Uint8Array(bytes)])), await getSamples(early)];
  expect(snr(between(whole, 4, 5.9), between(found, 4, 5.9))).toBeGreaterThan(40);
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
