import { expect, test } from 'vitest';
import type { VideoFrame } from '../../models/core/runtime/video-codec.ts';
import { probeVideo } from '../../models/media/containers/video-header.ts';
import { psnr } from '../support/media/images.ts';
import { remux } from '../support/media/remux.ts';
import { encodeVideo, movingFrames, readVideo } from '../support/media/videos.ts';

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

/** Reads a WebM video of 8 s, of which a part is zeros. Its second cluster begins at half of the file. */
async function readDamagedWebm(from: number, to: number) {
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(80).fill(0.1)), { format: 'webm' });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  bytes.fill(0, Math.floor(bytes.length * from), Math.floor(bytes.length * to));
  return await readVideo(new Blob([bytes]));
}

test('a damaged stretch of a video in WebM costs its pictures alone, and is named', async () => {
  const { frames, warnings } = await readDamagedWebm(0.2, 0.3);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The video is damaged: \d\.\d s of pictures could not be read, from [1-4]\.\d to /,
    ),
  ]);
  expect(frames.length).toBeLessThan(80);
  expect(frames.length).toBeGreaterThan(50);
  expect(frames.at(-1)?.timestampSeconds).toBeCloseTo(7.9, 2);
});

test('damage behind which no cluster of a WebM video is left is a missing end', async () => {
  const { warnings } = await readDamagedWebm(0.45, 0.55);
  expect(warnings).toEqual([
    expect.stringMatching(/^The video is cut off: the result covers the 5\.\d s that could be read\.$/),
  ]);
});

test.each(['mp4', 'webm'] as const)(
  'of joined videos in %s the first is read, which is said',
  async (format) => {
    const { blob } = await encodeVideo(movingFrames(64, 48, Array(12).fill(0.1)), { format });
    const { frames, warnings } = await readVideo(new Blob([blob, blob]));
    expect(frames).toHaveLength(12);
    expect(warnings).toEqual(['The file holds a second file behind the first. Only the first was read.']);
  },
);

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

test('a live recording that is cut off costs and shows what is there', async () => {
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(40).fill(0.1)), { format: 'webm' });
  const live = asLive(Buffer.from(await blob.arrayBuffer()));
  const cut = new Blob([new Uint8Array(live.subarray(0, Math.floor(live.length * 0.7)))]);
  const facts = await probeVideo(cut, { secondsMax: 60 });
  const { frames, warnings } = await readVideo(cut);
  expect(frames.length).toBeGreaterThan(15);
  expect(frames.length).toBeLessThan(35);
  expect(facts.frameCount).toBe(frames.length);
  expect(warnings).toEqual([expect.stringContaining('The video is cut off: ')]);
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
