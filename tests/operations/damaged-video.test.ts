import { expect, test } from 'vitest';
import { messagesOf } from '../../models/core/runtime/run-warnings.ts';
import type { VideoFrame } from '../../models/core/runtime/video-codec.ts';
import { probeVideo } from '../../models/media/containers/video-header.ts';
import { openVideoTrack, packetsOf } from '../../models/media/video/open-input.ts';
import { chirpFile } from '../support/media/chirp-files.ts';
import { psnr } from '../support/media/images.ts';
import { remux } from '../support/media/remux.ts';
import { encodeVideo, movingFrames, readVideo } from '../support/media/videos.ts';

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
