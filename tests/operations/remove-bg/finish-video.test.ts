import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Count, Progress } from '../../../models/core/runtime/progress.ts';
import type { VideoCodec } from '../../../models/core/runtime/video-codec.ts';
import type { CutoutFiles, VideoEdits } from '../../../models/operations/remove-bg/cutout-edits.ts';
import { finishVideo } from '../../../models/operations/remove-bg/finish-video.ts';
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

const { width, height, frameCount } = SQUARE_VIDEO;
const RED = [255, 0, 32, 255];
const { signal } = new AbortController();
const inference = createMattingInference(['u2netp']);

async function cutOut(original: Blob): Promise<CutoutFiles> {
  const runtime = createNodeRuntime({ signal, inference });
  const [file] = (await removeBg.execute(original, { output_format: 'webm' }, runtime)).files;
  if (!file) throw new Error('no file');
  return { original, cutout: file.blob };
}

async function finish(files: CutoutFiles, look: VideoEdits, refused?: OperationError) {
  const counts: Count[] = [];
  const onProgress = ({ count }: Progress) => count && counts.push(count);
  const runtime = createNodeRuntime({ signal, onProgress });
  const video: VideoCodec = {
    ...runtime.video,
    decode: async (input, options) => {
      if (refused && input === files.original) throw refused;
      return runtime.video.decode(input, options);
    },
  };
  const { file, warnings } = await finishVideo(files, look, { ...runtime, video });
  return { file, warnings, counts, frames: await decodeVideoFrames(file.blob) };
}

describe('finishing a video cutout', () => {
  let files: CutoutFiles;
  beforeAll(async () => {
    files = await cutOut(await createSquareVideo());
  });

  test('adds a background colour, and keeps its own colours, times and audio', async () => {
    const blue = { kind: 'css', background: '#0000ff' } as const;
    const { file, frames, warnings } = await finish(files, { background: blue, format: 'mp4' });
    expect([file.name, file.mediaType, warnings]).toEqual(['output.mp4', 'video/mp4', []]);
    expect(readFrameTimes(frames)).toEqual(readFrameTimes(await decodeVideoFrames(files.original)));
    frames.forEach((frame, index) => {
      expect([frame.width, frame.height]).toEqual([width, height]);
      expectColour(frame, [squareCentreAt(index), 32], RED);
      expectColour(frame, [4, 4], [0, 0, 255, 255]);
    });
    const [before, after] = [await readAudioPackets(files.original), await readAudioPackets(file.blob)];
    expect(after.packets.map(({ data }) => data)).toEqual(before.packets.map(({ data }) => data));
  });

  test('adds a background image', async () => {
    const picture = await sharp({ create: { width, height, channels: 3, background: '#c0f' } })
      .png()
      .toBuffer();
    const backdrop = { kind: 'picture', picture: new Blob([new Uint8Array(picture)]) } as const;
    const { frames } = await finish(files, { background: backdrop, format: 'webm' });
    for (const frame of frames) expectColour(frame, [4, 4], [204, 0, 255, 255]);
  });

  test('adds the blurred original background, without a glow of the subject', async () => {
    const { frames } = await finish(files, { background: { kind: 'blurred' }, format: 'mp4' });
    frames.forEach((frame, index) => {
      expectColour(frame, [squareCentreAt(index), 32], RED);
      expectColour(frame, [squareCentreAt(index) + 24, 32], [0, 160, 32, 255]);
    });
  });

  test('keeps transparency as an mp4 of double height', async () => {
    const backdrop = { kind: 'css', background: 'transparent' } as const;
    const { frames } = await finish(files, { background: backdrop, format: 'mp4' });
    frames.forEach((frame, index) => {
      expect([frame.width, frame.height]).toEqual([width, height * 2]);
      expectColour(frame, [squareCentreAt(index), 32 + height], [255, 255, 255, 255]);
      expectColour(frame, [4, 4 + height], [0, 0, 0, 255]);
    });
  });

  test('reports the current frame and their total', async () => {
    const { counts } = await finish(files, { background: { kind: 'blurred' }, format: 'mp4' });
    expect(counts.map(({ done, total }) => [done, total])).toEqual(
      Array.from({ length: frameCount }, (_, index) => [index + 1, frameCount]),
    );
  });

  test('stops when aborted', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const runtime = createNodeRuntime({ signal: controller.signal, onProgress });
    await expect(
      finishVideo(files, { background: { kind: 'blurred' }, format: 'mp4' }, runtime),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('rejects an invalid background', async () => {
    const backdrop = { kind: 'css', background: 'nonsense' } as const;
    await expect(finish(files, { background: backdrop, format: 'mp4' })).rejects.toMatchObject({
      code: 'bad_request',
    });
  });
});

describe('finishing a video cutout whose original this browser cannot decode', () => {
  const undecodable = new OperationError(
    'unavailable',
    'This browser cannot decode HEVC. Run it on the server.',
  );
  let files: CutoutFiles;
  beforeAll(async () => {
    files = await cutOut(await createSquareVideo());
  });

  test.each([
    ['#0000ff', [0, 0, 255, 255]],
    // Twice as high: the matte is below.
    ['transparent', null],
  ])('becomes an mp4 on %s with the audio of the original', async (background, ground) => {
    const look = { background: { kind: 'css', background }, format: 'mp4' } as const;
    const { file, frames, counts } = await finish(files, look, undecodable);
    expect(readFrameTimes(frames)).toEqual(readFrameTimes(await decodeVideoFrames(files.original)));
    expect(counts.at(-1)).toMatchObject({ done: frameCount, total: frameCount });
    frames.forEach((frame, index) => {
      expectColour(frame, [squareCentreAt(index), 32], RED);
      if (ground) expectColour(frame, [4, 4], ground);
      else expectColour(frame, [4, 4 + height], [0, 0, 0, 255]);
    });
    const [before, after] = [await readAudioPackets(files.original), await readAudioPackets(file.blob)];
    expect(after.packets.map(({ data }) => data)).toEqual(before.packets.map(({ data }) => data));
  });

  test('rejects a blurred background, with the reason and the alternatives', async () => {
    await expect(
      finish(files, { background: { kind: 'blurred' }, format: 'mp4' }, undecodable),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'Blurred surroundings need the original video, which this browser cannot decode. Choose a colour, an image or no background.',
    });
  });

  test('rejects any other error of the original', async () => {
    const look = { background: { kind: 'css', background: '#0000ff' }, format: 'mp4' } as const;
    const damaged = new OperationError('unprocessable', 'The video is damaged. Export it again.');
    await expect(finish(files, look, damaged)).rejects.toBe(damaged);
  });
});

test('alpha of a half-transparent source is applied once, not twice', async () => {
  const half = [...generateSquareFrames()].map((frame) => ({
    ...frame,
    data: frame.data.map((value, at) => (at % 4 === 3 ? 128 : value)),
  }));
  const { blob } = await encodeVideo(half, { format: 'webm', alpha: true });
  const files = await cutOut(blob);
  const backdrop = { kind: 'css', background: 'transparent' } as const;
  const { frames } = await finish(files, { background: backdrop, format: 'webm' });
  frames.forEach((frame, index) => {
    const [, , , alpha = 0] = readPixel(frame, squareCentreAt(index), 32);
    expect(Math.abs(alpha - 128)).toBeLessThan(24);
  });
});
