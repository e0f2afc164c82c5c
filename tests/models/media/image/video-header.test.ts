import fc from 'fast-check';
import { BlobSource, Input, MP4 } from 'mediabunny';
import { describe, expect, test } from 'vitest';
import { probeVideo } from '../../../../models/media/containers/video-header.ts';
import { readAvcParameters } from '../../../../models/media/parameter-sets/avc.ts';
import { videoFixture } from '../../../support/media/videos.ts';

const probe = (video: Blob) => probeVideo(video, { secondsMax: 60 });

async function cutTo(name: string, share: number): Promise<Blob> {
  const whole = await videoFixture(name);
  return whole.slice(0, Math.floor(whole.size * share));
}

/** Changes bytes of a file. */
async function changed(name: string, at: number, bytes: readonly number[]): Promise<Blob> {
  const data = new Uint8Array(await (await videoFixture(name)).arrayBuffer());
  data.set(bytes, at);
  return new Blob([data]);
}

async function indexIn(name: string, text: string): Promise<number> {
  return Buffer.from(await (await videoFixture(name)).arrayBuffer()).indexOf(text, 0, 'latin1');
}

describe('the facts from the header of a video', () => {
  test.each([
    ['moving.mp4', { container: 'mp4', mediaType: 'video/mp4', width: 64, height: 48, hasAudio: true }],
    [
      'rotated.mov',
      { container: 'mov', mediaType: 'video/quicktime', width: 48, height: 64, hasAudio: true },
    ],
    [
      'fragmented.mp4',
      { container: 'mp4', width: 64, height: 48, hasAudio: true, frameCount: 12, isFrameCountExact: true },
    ],
    ['odd.webm', { container: 'webm', mediaType: 'video/webm', width: 67, height: 45, hasAudio: false }],
    [
      'live.webm',
      { container: 'webm', width: 67, height: 45, frameCount: 12, isFrameCountExact: true, hasAudio: false },
    ],
    ['spoken.webm', { container: 'webm', hasAudio: true, isFrameCountExact: false }],
  ])('%s', async (name, facts) => {
    const found = await probe(await videoFixture(name));
    expect(found).toMatchObject(facts);
    expect(found.durationSeconds).toBeCloseTo(0.48, 2);
    if (found.frameCount !== null) expect(found.frameRate).toBeCloseTo(25, 5);
  });

  test('frames of different durations are counted', async () => {
    const { durationSeconds, frameCount } = await probe(await videoFixture('uneven.mp4'));
    expect([durationSeconds, frameCount]).toEqual([0.7, 6]);
  });

  test('a live recording is read only up to secondsMax', async () => {
    const { durationSeconds } = await probeVideo(await videoFixture('live.webm'), { secondsMax: 0.1 });
    expect(durationSeconds).toBeGreaterThan(0.1);
    expect(durationSeconds).toBeLessThan(0.3);
  });
});

describe('a video is rejected with the reason for', () => {
  test.each([
    ['text', () => new Blob(['a text that is no video at all']), /an unknown format. Send an MP4/],
    ['an empty file', () => new Blob([]), /is empty/],
    ['audio alone', () => videoFixture('tone.mkv'), /no video track/],
    ['a truncated header', () => cutTo('moving.mp4', 0.01), /header is truncated/],
    ['a missing header at the end', () => cutTo('rotated.mov', 0.5), /has no header \(moov\)/],
  ])('%s', async (_, input, message) => {
    await expect(probe(await input())).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message),
    });
  });

  test('boxes that are smaller than their own header', async () => {
    const at = await indexIn('moving.mp4', 'trak');
    await expect(probe(await changed('moving.mp4', at - 4, [0, 0, 0, 3]))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('boxes are inconsistent'),
    });
  });

  test('a timescale of 0', async () => {
    const at = await indexIn('moving.mp4', 'mvhd');
    await expect(probe(await changed('moving.mp4', at + 16, [0, 0, 0, 0]))).rejects.toMatchObject({
      message: expect.stringContaining('timescale is 0'),
    });
  });

  test('a duration that is not stated, as a damaged file', async () => {
    const bytes = Buffer.from(await (await videoFixture('uneven.mp4')).arrayBuffer());
    // Version 0 of both headers: ISO 14496-12, 8.3.2 and 8.4.2.
    bytes.writeUInt32BE(0, bytes.indexOf('tkhd') + 24);
    bytes.writeUInt32BE(0, bytes.indexOf('mdhd') + 20);
    await expect(probe(new Blob([new Uint8Array(bytes)]))).rejects.toMatchObject({
      message: expect.stringContaining('does not state its duration'),
      kind: 'damaged',
    });
  });

  test('too many tracks, in either kind of container', async () => {
    const tracks = Array(99_000).fill(Uint8Array.of(0xae, 0x80)) as Uint8Array<ArrayBuffer>[];
    const head = [
      0x1a,
      0x45,
      0xdf,
      0xa3,
      0x80,
      ...[0x18, 0x53, 0x80, 0x67, 0xff],
      ...[0x16, 0x54, 0xae, 0x6b, 0xff],
    ];
    await expect(probe(new Blob([Uint8Array.from(head), ...tracks]))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('too many tracks'),
    });
    const whole = Buffer.from(await (await videoFixture('moving.mp4')).arrayBuffer());
    const [moov, trak] = [whole.indexOf('moov') - 4, whole.indexOf('trak') - 4];
    const one = whole.subarray(trak, trak + whole.readUInt32BE(trak));
    const size = whole.readUInt32BE(moov);
    whole.writeUInt32BE(size + 99 * one.length, moov);
    const many = [whole.subarray(0, moov + size), ...Array(99).fill(one), whole.subarray(moov + size)];
    await expect(probe(new Blob([new Uint8Array(Buffer.concat(many))]))).rejects.toMatchObject({
      message: expect.stringContaining('too many tracks'),
    });
  });

  test('any single wrong byte in a header gives facts or a bad_request', { tags: ['long'] }, async () => {
    for (const name of ['moving.mp4', 'fragmented.mp4', 'live.webm']) {
      for (let at = 4; at < 1200; at += 1) {
        const outcome = await probe(await changed(name, at, [0xff])).catch((thrown) => thrown.code);
        expect(typeof outcome === 'object' || outcome === 'bad_request').toBe(true);
      }
    }
  });
});

async function getConfiguration(name: string): Promise<Uint8Array> {
  const input = new Input({ source: new BlobSource(await videoFixture(name)), formats: [MP4] });
  const config = await (await input.getPrimaryVideoTrack())?.getDecoderConfig();
  return config?.description as Uint8Array;
}

test.each([
  ['top-first.mp4', true],
  ['bottom-first.mp4', true],
  ['partly-interlaced.mp4', true],
  ['moving.mp4', false],
  ['fragmented.mp4', false],
])('%s states whether it has fields', async (name, hasFields) => {
  expect(readAvcParameters(await getConfiguration(name)).hasFields).toBe(hasFields);
});

test('no bytes keep the reader busy', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      bytes[8] = 0x67;
      bytes[9] = 100;
      expect(typeof readAvcParameters(bytes).hasFields).toBe('boolean');
    }),
    { seed: 1234, numRuns: 300 },
  );
});
