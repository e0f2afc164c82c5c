import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { loadingProgress } from '../../../models/core/runtime/progress.ts';
import { removeBg } from '../../../models/operations/remove-bg/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import {
  createSquareVideo,
  expectColour,
  generateSquareFrames,
  readPixel,
  SQUARE_VIDEO,
  squareCentreAt,
} from '../../support/media/square-video.ts';
import {
  decodeVideoFrames,
  encodeVideo,
  readAudioPackets,
  readFrameTimes,
} from '../../support/media/videos.ts';
import { createMattingInference } from '../../support/models/matting-inference.ts';

async function remove(
  input: Blob,
  params: object,
  attachments = new Map<string, Blob>(),
  inference = createMattingInference(['u2netp']),
) {
  const reached: number[] = [];
  const runtime = createNodeRuntime({
    signal: new AbortController().signal,
    attachments,
    inference,
    onProgress: ({ fraction }) => reached.push(fraction),
  });
  await removeBg.quote(input, params);
  const result = await removeBg.execute(input, params, runtime);
  const [file] = result.files;
  if (!file) throw new Error('no file');
  return { ...result, file, reached, frames: await decodeVideoFrames(file.blob) };
}

describe('the background of a video', () => {
  test('becomes transparent in an mp4 of double height: the colours above, the matte below', {
    tags: ['long'],
  }, async () => {
    const { file, frames, engine, warnings, details } = await remove(await createSquareVideo(), {});
    expect([file.name, file.mediaType]).toEqual(['output.mp4', 'video/mp4']);
    expect({ engine, warnings }).toEqual({ engine: 'u2netp on cpu', warnings: [] });
    expect(details).toEqual({
      original_size: '96x64',
      subjects_detected: 1,
      matte_quality: expect.stringMatching(/^(high|medium)$/),
    });
    expect(frames).toHaveLength(SQUARE_VIDEO.frameCount);
    frames.forEach((frame, index) => {
      expect([frame.width, frame.height]).toEqual([SQUARE_VIDEO.width, SQUARE_VIDEO.height * 2]);
      expectColour(frame, [squareCentreAt(index), 32], [255, 0, 32, 255]);
      expectColour(frame, [squareCentreAt(index), 32 + SQUARE_VIDEO.height], [255, 255, 255, 255]);
      expectColour(frame, [4, 4 + SQUARE_VIDEO.height], [0, 0, 0, 255]);
    });
  });

  test('becomes transparent in a webm with alpha', async () => {
    const { file, frames } = await remove(await createSquareVideo(), { output_format: 'webm' });
    expect(file.mediaType).toBe('video/webm');
    frames.forEach((frame, index) => {
      expect(readPixel(frame, squareCentreAt(index), 32)[3]).toBeGreaterThan(230);
      expect(readPixel(frame, 4, 4)[3]).toBeLessThan(25);
    });
  });

  test('becomes a colour; a half-transparent one is composited over white', async () => {
    const blue = await remove(await createSquareVideo(), { background: '#0000ff' });
    for (const frame of blue.frames) {
      expect([frame.width, frame.height]).toEqual([SQUARE_VIDEO.width, SQUARE_VIDEO.height]);
      expectColour(frame, [4, 4], [0, 0, 255, 255]);
    }
    const pale = await remove(await createSquareVideo(), { background: 'rgba(0, 0, 255, 0.5)' });
    for (const frame of pale.frames) expectColour(frame, [4, 4], [127, 127, 255, 255]);
  });

  test('becomes the attached image', { tags: ['long'] }, async () => {
    const picture = await sharp({ create: { ...SQUARE_VIDEO, channels: 3, background: '#c0f' } })
      .png()
      .toBuffer();
    const { frames } = await remove(
      await createSquareVideo(),
      { background: 'https://example.com/violet.png' },
      new Map([['background', new Blob([new Uint8Array(picture)])]]),
    );
    for (const frame of frames) expectColour(frame, [4, 4], [204, 0, 255, 255]);
  });

  test('is removed while times and audio stay', async () => {
    const input = await createSquareVideo();
    const { file, frames } = await remove(input, {});
    expect(readFrameTimes(frames)).toEqual(readFrameTimes(await decodeVideoFrames(input)));
    const [before, after] = [await readAudioPackets(input), await readAudioPackets(file.blob)];
    expect(after.packets.length).toBeGreaterThan(0);
    expect(after.packets.map(({ data }) => data)).toEqual(before.packets.map(({ data }) => data));
  });

  test('is removed frame by frame, with progress for each', async () => {
    const { reached } = await remove(await createSquareVideo(), {});
    expect(reached.length).toBeGreaterThanOrEqual(SQUARE_VIDEO.frameCount);
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
    expect(reached.at(-1)).toBe(1);
  });

  test('is removed with progress that includes the download of weights and never falls, even when they are downloaded twice', async () => {
    const here = createMattingInference(['u2netp']);
    const downloading: Inference = {
      ...here,
      use(card, options, work) {
        for (const receivedBytes of [25, 50, 100]) {
          options.onProgress?.(loadingProgress({ receivedBytes, totalBytes: 100 }));
        }
        return here.use(card, options, work);
      },
    };
    const { reached } = await remove(await createSquareVideo(), {}, new Map(), downloading);
    expect(reached.slice(0, 4)).toEqual([0, 0.025, 0.05, 0.1]);
    expect(reached[4]).toBeGreaterThan(0.1);
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
    expect(reached.at(-1)).toBe(1);
  });

  test('is not removed when the run is aborted', async () => {
    const controller = new AbortController();
    const input = await createSquareVideo();
    const runtime = createNodeRuntime({
      signal: controller.signal,
      inference: createMattingInference(['u2netp']),
      onProgress: () => controller.abort(),
    });
    await expect(removeBg.execute(input, {}, runtime)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a video', () => {
  test('costs 0.05 US dollars per started second', async () => {
    expect((await removeBg.quote(await createSquareVideo(), {})).price).toBe(50_000n);
    const still = [...generateSquareFrames()]
      .slice(0, 1)
      .map((frame) => ({ ...frame, durationSeconds: 2.5 }));
    const { blob } = await encodeVideo(still, {});
    expect((await removeBg.quote(blob, {})).price).toBe(150_000n);
  });

  test.each([
    [1.2, 410],
    [60.05, 3600],
  ])('of %d seconds may take %d seconds, and an image five minutes', (durationSeconds, runSecondsMax) => {
    expect(removeBg.limitsFor({ mediaType: 'video/mp4', durationSeconds }, {})).toMatchObject({
      runSecondsMax,
    });
    expect(removeBg.limitsFor({ mediaType: 'image/png' }, {})).toMatchObject({ runSecondsMax: 300 });
  });

  test.each([
    ['png', 'output_format: must be one of mp4, webm for a video.'],
    ['jpeg', 'output_format: must be one of mp4, webm for a video.'],
  ])('cannot be written as %s', async (output_format, message) => {
    await expect(removeBg.quote(await createSquareVideo(), { output_format })).rejects.toMatchObject({
      code: 'bad_request',
      message,
    });
  });

  test('of more than a minute is rejected', async () => {
    const still = [...generateSquareFrames()].slice(0, 1).map((frame) => ({ ...frame, durationSeconds: 61 }));
    const { blob } = await encodeVideo(still, {});
    await expect(removeBg.quote(blob, {})).rejects.toMatchObject({
      code: 'bad_request',
      message: 'The video lasts 61.0 seconds. At most 60 are allowed.',
    });
  });

  test('that is longer than its header says is rejected', async () => {
    const bytes = Buffer.from(await (await createSquareVideo()).arrayBuffer());
    // The length of a track's samples, from which the price follows: version 0, ISO 14496-12, 8.4.2.
    for (let at = bytes.indexOf('mdhd'); at >= 0; at = bytes.indexOf('mdhd', at + 4))
      bytes.writeUInt32BE(1, at + 20);
    const lying = new Blob([new Uint8Array(bytes)]);
    await expect(remove(lying, {})).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('longer than'),
    });
  });
});
