import { describe, expect, test } from 'vitest';
import { drawMovingFrame } from '../../../../lab/fixtures/moving-pattern.ts';
import { messagesOf } from '../../../../models/core/runtime/run-warnings.ts';
import { psnr } from '../../../support/media/images.ts';
import {
  decodeVideoFrames,
  encodeVideo,
  movingFrames,
  readAudioPackets,
  readFrameTimes,
  videoFixture,
} from '../../../support/media/videos.ts';

const even = Array(12).fill(0.04) as number[];

describe('videos that the server writes', () => {
  test.each(['mp4', 'webm'] as const)('%s keeps times that differ from frame to frame', async (format) => {
    const frames = movingFrames(64, 48, [0.04, 0.1, 0.02, 0.2]);
    const { blob, warnings } = await encodeVideo(frames, { format });
    expect([blob.type, warnings]).toEqual([`video/${format}`, []]);
    const back = await decodeVideoFrames(blob);
    expect(readFrameTimes(back).map(([start]) => start)).toEqual([0, 40, 140, 160]);
    back.forEach((frame, index) => {
      expect(psnr(drawMovingFrame(64, 48, index), frame)).toBeGreaterThan(38);
    });
  });

  test.each([
    ['lasts 3 seconds', 3, 10],
    ['lasts a moment', 0.001, 11],
  ])('mp4 has the level for its mean rate where the first frame %s', async (_, seconds, level) => {
    // 99 macroblocks: level 1.0 of H.264, table A-1, allows 15 frames a second.
    const { blob } = await encodeVideo(movingFrames(176, 144, [seconds, ...even]), { format: 'mp4' });
    expect(readFrameTimes(await decodeVideoFrames(blob))[0]).toEqual([0, seconds * 1000]);
    const bytes = Buffer.from(await blob.arrayBuffer());
    // ISO 14496-15, 5.3.3.1: the level follows version, profile and compatibility.
    expect(bytes[bytes.indexOf('avcC') + 7]).toBe(level);
  });

  test('mp4 makes odd sides even, webm keeps them', async () => {
    const [inMp4] = await decodeVideoFrames(
      (await encodeVideo(movingFrames(67, 45, even), { format: 'mp4' })).blob,
    );
    expect([inMp4?.width, inMp4?.height]).toEqual([68, 46]);
    const [inWebm] = await decodeVideoFrames(
      (await encodeVideo(movingFrames(67, 45, even), { format: 'webm' })).blob,
    );
    expect([inWebm?.width, inWebm?.height]).toEqual([67, 45]);
  });

  test('mp4 begins with its header, so that it plays while downloading', async () => {
    const { blob } = await encodeVideo(movingFrames(64, 48, even), { format: 'mp4' });
    const bytes = Buffer.from(await blob.arrayBuffer());
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  test('webm keeps alpha', async () => {
    const { blob } = await encodeVideo(movingFrames(64, 48, even, true), { format: 'webm', alpha: true });
    for (const [index, frame] of (await decodeVideoFrames(blob)).entries()) {
      expect(psnr(drawMovingFrame(64, 48, index, true), frame)).toBeGreaterThan(36);
    }
  });

  test('a video without frames is rejected', async () => {
    await expect(encodeVideo([], {})).rejects.toMatchObject({ code: 'unprocessable' });
  });

  test('a frame of another size is rejected', async () => {
    const frames = [...movingFrames(64, 48, [0.04]), ...movingFrames(32, 48, [0.04])];
    await expect(encodeVideo(frames, {})).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('frame size changes'),
    });
  });
});

describe('audio', () => {
  test.each([
    ['moving.mp4', 'mp4', 'aac'],
    ['spoken.webm', 'webm', 'opus'],
    ['spoken.webm', 'mp4', 'opus'],
  ] as const)('of %s is copied into %s packet by packet', async (name, format, codec) => {
    const soundFrom = await videoFixture(name);
    const { blob, warnings } = await encodeVideo(movingFrames(64, 48, even), { format, soundFrom });
    expect(warnings).toEqual([]);
    const [before, after] = [await readAudioPackets(soundFrom), await readAudioPackets(blob)];
    expect([before.codec, after.codec]).toEqual([codec, codec]);
    expect(after.packets.map(({ data }) => data)).toEqual(before.packets.map(({ data }) => data));
    after.packets.forEach(({ timestamp }, index) => {
      expect(timestamp).toBeCloseTo(before.packets[index]?.timestamp ?? 0, 2);
    });
  });

  test.each([
    ['moving.mp4', 'webm', 'opus'],
    ['tone.mkv', 'mp4', 'aac'],
  ] as const)('of %s is re-encoded for %s with a warning', async (name, format, codec) => {
    const { blob, warnings } = await encodeVideo(movingFrames(64, 48, even), {
      format,
      soundFrom: await videoFixture(name),
    });
    expect(messagesOf(warnings)).toEqual([expect.stringContaining(`re-encoded as ${codec}`)]);
    const { packets, ...sound } = await readAudioPackets(blob);
    expect(sound.codec).toBe(codec);
    const last = packets.at(-1);
    expect((last?.timestamp ?? 0) + (last?.duration ?? 0)).toBeGreaterThan(0.45);
    expect(packets[0]?.timestamp).toBeLessThan(0.03);
  });

  test('is absent when the source has none', async () => {
    const { blob } = await encodeVideo(movingFrames(64, 48, even), {
      soundFrom: await videoFixture('odd.webm'),
    });
    expect(await readAudioPackets(blob)).toEqual({ codec: null, packets: [] });
  });
});
