import { describe, expect, test } from 'vitest';
import { removeBg } from '../../../models/remove-bg/operation.ts';
import type { VideoFrame } from '../../../models/video-codec.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { standInInference } from '../../support/stand-in-inference.ts';
import { encoded, framesOf, soundOf, timesOf, videoFixture } from '../../support/videos.ts';

const WIDTH = 96;
const HEIGHT = 64;
const SECONDS = [0.04, 0.04, 0.1, 0.02, 0.04, 0.04];

/** A red square before green that moves to the right: the stand-in finds what is red. */
function* scene(): Generator<VideoFrame> {
  let timestampSeconds = 0;
  for (const [index, durationSeconds] of SECONDS.entries()) {
    const data = Uint8Array.from({ length: WIDTH * HEIGHT * 4 }, (_, at) => {
      const place = Math.floor(at / 4);
      const [x, y] = [place % WIDTH, Math.floor(place / WIDTH)];
      const isRed = Math.abs(x - centreOf(index)) < 16 && Math.abs(y - 32) < 16;
      return (isRed ? [255, 0, 32, 255] : [0, 160, 32, 255])[at % 4] ?? 0;
    });
    yield { width: WIDTH, height: HEIGHT, data, timestampSeconds, durationSeconds };
    timestampSeconds += durationSeconds;
  }
}
const centreOf = (index: number) => 32 + index * 4;

const video = async () => (await encoded(scene(), { soundFrom: await videoFixture('moving.mp4') })).blob;

async function remove(input: Blob, params: object, signal = new AbortController().signal) {
  const reached: number[] = [];
  const runtime = createNodeRuntime({
    signal,
    inference: standInInference(['u2netp']),
    onProgress: (fraction) => reached.push(fraction),
  });
  await removeBg.quote(input, params);
  const result = await removeBg.execute(input, params, runtime);
  const [file] = result.files;
  if (!file) throw new Error('no file');
  return { ...result, file, reached, frames: await framesOf(file.blob) };
}

const pixelOf = ({ width, data }: VideoFrame, x: number, y: number) =>
  Array.from(data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4));

/** As near as lossy colours come. */
function expectColour(frame: VideoFrame, [x, y]: [number, number], expected: number[]): void {
  pixelOf(frame, x, y).forEach((value, channel) => {
    expect(Math.abs(value - (expected[channel] as number))).toBeLessThan(24);
  });
}

describe('the background of a video', { timeout: 60_000 }, () => {
  test('becomes transparent in an mp4 of double height: the colours above, the matte below', async () => {
    const { file, frames, engine, warnings, details } = await remove(await video(), {});
    expect([file.name, file.mediaType]).toEqual(['output.mp4', 'video/mp4']);
    expect({ engine, warnings }).toEqual({ engine: 'u2netp on cpu', warnings: [] });
    expect(details).toEqual({
      original_size: '96x64',
      subjects_detected: 1,
      matte_quality: expect.stringMatching(/^(high|medium)$/),
    });
    expect(frames).toHaveLength(SECONDS.length);
    frames.forEach((frame, index) => {
      expect([frame.width, frame.height]).toEqual([WIDTH, HEIGHT * 2]);
      expectColour(frame, [centreOf(index), 32], [255, 0, 32, 255]);
      expectColour(frame, [centreOf(index), 32 + HEIGHT], [255, 255, 255, 255]);
      expectColour(frame, [4, 4 + HEIGHT], [0, 0, 0, 255]);
    });
  });

  test('becomes transparent in a webm with alpha', async () => {
    const { file, frames } = await remove(await video(), { output_format: 'webm' });
    expect(file.mediaType).toBe('video/webm');
    frames.forEach((frame, index) => {
      expect(pixelOf(frame, centreOf(index), 32)[3]).toBeGreaterThan(230);
      expect(pixelOf(frame, 4, 4)[3]).toBeLessThan(25);
    });
  });

  test('becomes a colour, a half-transparent one on white', async () => {
    const blue = await remove(await video(), { background: '#0000ff' });
    for (const frame of blue.frames) {
      expect([frame.width, frame.height]).toEqual([WIDTH, HEIGHT]);
      expectColour(frame, [4, 4], [0, 0, 255, 255]);
    }
    const pale = await remove(await video(), { background: 'rgba(0, 0, 255, 0.5)' });
    for (const frame of pale.frames) expectColour(frame, [4, 4], [127, 127, 255, 255]);
  });

  test('goes, times and sound stay', async () => {
    const input = await video();
    const { file, frames } = await remove(input, {});
    expect(timesOf(frames)).toEqual(timesOf(await framesOf(input)));
    const [before, after] = [await soundOf(input), await soundOf(file.blob)];
    expect(after.packets.length).toBeGreaterThan(0);
    expect(after.packets.map(({ data }) => data)).toEqual(before.packets.map(({ data }) => data));
  });

  test('goes frame by frame, and progress is told for each', async () => {
    const { reached } = await remove(await video(), {});
    expect(reached.length).toBeGreaterThanOrEqual(SECONDS.length);
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
    expect(reached.at(-1)).toBe(1);
  });

  test('stays when nobody waits any more', async () => {
    const controller = new AbortController();
    const input = await video();
    const runtime = createNodeRuntime({
      signal: controller.signal,
      inference: standInInference(['u2netp']),
      onProgress: () => controller.abort(),
    });
    await expect(removeBg.execute(input, {}, runtime)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a video', () => {
  test('costs 0.05 US dollars for each second that was started', async () => {
    expect((await removeBg.quote(await video(), {})).price).toBe(50_000n);
    const still = [...scene()].slice(0, 1).map((frame) => ({ ...frame, durationSeconds: 2.5 }));
    const { blob } = await encoded(still, {});
    expect((await removeBg.quote(blob, {})).price).toBe(150_000n);
  });

  test.each([
    [1.2, 410],
    [60.05, 3600],
  ])('of %d seconds may take %d, and an image five minutes', (durationSeconds, runSecondsMax) => {
    expect(removeBg.limitsFor({ mediaType: 'video/mp4', durationSeconds })).toMatchObject({ runSecondsMax });
    expect(removeBg.limitsFor({ mediaType: 'image/png' })).toMatchObject({ runSecondsMax: 300 });
  });

  test.each([
    ['png', 'output_format: must be one of mp4, webm for a video.'],
    ['jpeg', 'output_format: must be one of mp4, webm for a video.'],
  ])('is not made into %s', async (output_format, message) => {
    await expect(removeBg.quote(await video(), { output_format })).rejects.toMatchObject({
      code: 'bad_request',
      message,
    });
  });

  test('of more than a minute is refused', async () => {
    const still = [...scene()].slice(0, 1).map((frame) => ({ ...frame, durationSeconds: 61 }));
    const { blob } = await encoded(still, {});
    await expect(removeBg.quote(blob, {})).rejects.toMatchObject({
      code: 'bad_request',
      message: 'The video lasts 61.0 seconds. At most 60 are allowed.',
    });
  });

  test('that is longer than its header says is not processed for that price', async () => {
    const bytes = Buffer.from(await (await video()).arrayBuffer());
    // The duration of both headers that the price is made from, in thousandths or so: version 0, ISO 14496-12, 8.3.2.
    for (let at = bytes.indexOf('tkhd'); at >= 0; at = bytes.indexOf('tkhd', at + 4))
      bytes.writeUInt32BE(1, at + 24);
    const lying = new Blob([new Uint8Array(bytes)]);
    await expect(remove(lying, {})).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('longer than'),
    });
  });
});
