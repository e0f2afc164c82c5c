import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { OperationError } from '../../../models/errors.ts';
import { finishVideo } from '../../../models/remove-bg/finish-video.ts';
import type { CutoutFiles, VideoLook } from '../../../models/remove-bg/look.ts';
import { removeBg } from '../../../models/remove-bg/operation.ts';
import type { Count } from '../../../models/runtime.ts';
import type { VideoCodec } from '../../../models/video-codec.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import {
  centreOf,
  expectColour,
  pixelOf,
  SQUARE_VIDEO,
  squareFrames,
  squareVideo,
} from '../../support/square-video.ts';
import { standInInference } from '../../support/stand-in-inference.ts';
import { encoded, framesOf, soundOf, timesOf } from '../../support/videos.ts';

const { width, height, frameCount } = SQUARE_VIDEO;
const RED = [255, 0, 32, 255];
const { signal } = new AbortController();
const inference = standInInference(['u2netp']);

async function cutOut(original: Blob): Promise<CutoutFiles> {
  const runtime = createNodeRuntime({ signal, inference });
  const [file] = (await removeBg.execute(original, { output_format: 'webm' }, runtime)).files;
  if (!file) throw new Error('no file');
  return { original, cutout: file.blob };
}

async function finish(files: CutoutFiles, look: VideoLook, refused?: OperationError) {
  const counts: Count[] = [];
  const onProgress = (_fraction: number, count?: Count) => count && counts.push(count);
  const runtime = createNodeRuntime({ signal, onProgress });
  const video: VideoCodec = {
    ...runtime.video,
    decode: async (input, options) => {
      if (refused && input === files.original) throw refused;
      return runtime.video.decode(input, options);
    },
  };
  const { file, warnings } = await finishVideo(files, look, { ...runtime, video });
  return { file, warnings, counts, frames: await framesOf(file.blob) };
}

describe('a video that is cut out', { timeout: 60_000 }, () => {
  let files: CutoutFiles;
  beforeAll(async () => {
    files = await cutOut(await squareVideo());
  });

  test('gets a colour behind it, its own colours, times and sound as they were', async () => {
    const blue = { kind: 'css', background: '#0000ff' } as const;
    const { file, frames, warnings } = await finish(files, { behind: blue, format: 'mp4' });
    expect([file.name, file.mediaType, warnings]).toEqual(['output.mp4', 'video/mp4', []]);
    expect(timesOf(frames)).toEqual(timesOf(await framesOf(files.original)));
    frames.forEach((frame, index) => {
      expect([frame.width, frame.height]).toEqual([width, height]);
      expectColour(frame, [centreOf(index), 32], RED);
      expectColour(frame, [4, 4], [0, 0, 255, 255]);
    });
    const [before, after] = [await soundOf(files.original), await soundOf(file.blob)];
    expect(after.packets.map(({ data }) => data)).toEqual(before.packets.map(({ data }) => data));
  });

  test('gets a picture behind it', async () => {
    const picture = await sharp({ create: { width, height, channels: 3, background: '#c0f' } })
      .png()
      .toBuffer();
    const behind = { kind: 'picture', picture: new Blob([new Uint8Array(picture)]) } as const;
    const { frames } = await finish(files, { behind, format: 'webm' });
    for (const frame of frames) expectColour(frame, [4, 4], [204, 0, 255, 255]);
  });

  test('gets what was around it, out of focus, without a glow of itself', async () => {
    const { frames } = await finish(files, { behind: { kind: 'blurred' }, format: 'mp4' });
    frames.forEach((frame, index) => {
      expectColour(frame, [centreOf(index), 32], RED);
      expectColour(frame, [centreOf(index) + 24, 32], [0, 160, 32, 255]);
    });
  });

  test('stays transparent as an mp4 of double height', async () => {
    const behind = { kind: 'css', background: 'transparent' } as const;
    const { frames } = await finish(files, { behind, format: 'mp4' });
    frames.forEach((frame, index) => {
      expect([frame.width, frame.height]).toEqual([width, height * 2]);
      expectColour(frame, [centreOf(index), 32 + height], [255, 255, 255, 255]);
      expectColour(frame, [4, 4 + height], [0, 0, 0, 255]);
    });
  });

  test('tells which frame it is at, and of how many', async () => {
    const { counts } = await finish(files, { behind: { kind: 'blurred' }, format: 'mp4' });
    expect(counts.map(({ done, total }) => [done, total])).toEqual(
      Array.from({ length: frameCount }, (_, index) => [index + 1, frameCount]),
    );
  });

  test('is not finished when nobody waits any more', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const runtime = createNodeRuntime({ signal: controller.signal, onProgress });
    await expect(
      finishVideo(files, { behind: { kind: 'blurred' }, format: 'mp4' }, runtime),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('refuses a background that is none', async () => {
    const behind = { kind: 'css', background: 'nonsense' } as const;
    await expect(finish(files, { behind, format: 'mp4' })).rejects.toMatchObject({ code: 'bad_request' });
  });
});

describe('a video that was cut out elsewhere, as this browser cannot decode it', { timeout: 60_000 }, () => {
  const undecodable = new OperationError(
    'unavailable',
    'This browser cannot decode HEVC. Run it on the server.',
  );
  let files: CutoutFiles;
  beforeAll(async () => {
    files = await cutOut(await squareVideo());
  });

  test.each([
    ['#0000ff', [0, 0, 255, 255]],
    // Twice as high: the matte is below.
    ['transparent', null],
  ])('becomes an mp4 on %s with the sound of the original', async (background, ground) => {
    const look = { behind: { kind: 'css', background }, format: 'mp4' } as const;
    const { file, frames, counts } = await finish(files, look, undecodable);
    expect(timesOf(frames)).toEqual(timesOf(await framesOf(files.original)));
    expect(counts.at(-1)).toMatchObject({ done: frameCount, total: frameCount });
    frames.forEach((frame, index) => {
      expectColour(frame, [centreOf(index), 32], RED);
      if (ground) expectColour(frame, [4, 4], ground);
      else expectColour(frame, [4, 4 + height], [0, 0, 0, 255]);
    });
    const [before, after] = [await soundOf(files.original), await soundOf(file.blob)];
    expect(after.packets.map(({ data }) => data)).toEqual(before.packets.map(({ data }) => data));
  });

  test('gets no blurred surroundings, and is told why and what to choose', async () => {
    await expect(
      finish(files, { behind: { kind: 'blurred' }, format: 'mp4' }, undecodable),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'Blurred surroundings need the original video, which this browser cannot decode. Choose a colour, a picture or no background.',
    });
  });

  test('is refused for what else is wrong with it', async () => {
    const look = { behind: { kind: 'css', background: '#0000ff' }, format: 'mp4' } as const;
    const damaged = new OperationError('unprocessable', 'The video is damaged. Export it anew.');
    await expect(finish(files, look, damaged)).rejects.toBe(damaged);
  });
});

test('what was half transparent before is so once, not twice', { timeout: 60_000 }, async () => {
  const half = [...squareFrames()].map((frame) => ({
    ...frame,
    data: frame.data.map((value, at) => (at % 4 === 3 ? 128 : value)),
  }));
  const { blob } = await encoded(half, { format: 'webm', alpha: true });
  const files = await cutOut(blob);
  const behind = { kind: 'css', background: 'transparent' } as const;
  const { frames } = await finish(files, { behind, format: 'webm' });
  frames.forEach((frame, index) => {
    const [, , , alpha = 0] = pixelOf(frame, centreOf(index), 32);
    expect(Math.abs(alpha - 128)).toBeLessThan(24);
  });
});
