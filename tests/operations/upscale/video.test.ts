import { ALL_FORMATS, BlobSource, Input } from 'mediabunny';
import { describe, expect, test } from 'vitest';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { upscale } from '../../../models/operations/upscale/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { createSquareVideo, expectColour, SQUARE_VIDEO } from '../../support/media/square-video.ts';
import {
  decodeVideoFrames,
  encodeVideo,
  movingFrames,
  readAudioPackets,
  readFrameTimes,
  repeatAudioTrack,
  videoFixture,
} from '../../support/media/videos.ts';
import { createUpscaleInference } from '../../support/models/upscale.ts';

async function run(input: Blob, params: object, inference = createUpscaleInference(['darkroom-fast'])) {
  const counts: (string | undefined)[] = [];
  const runtime = createNodeRuntime({
    signal: new AbortController().signal,
    inference,
    onProgress: ({ count }) => counts.push(count && `${count.done} of ${count.total} ${count.unit}s`),
  });
  await upscale.quote(input, params);
  const result = await upscale.execute(input, params, runtime);
  const [file] = result.files;
  if (!file) throw new Error('no file');
  return { ...result, file, counts, frames: await decodeVideoFrames(file.blob) };
}

/** Counts the runs of all networks. */
function counting(inference: Inference): { inference: Inference; runs: () => number } {
  let runs = 0;
  return {
    runs: () => runs,
    inference: {
      ...inference,
      use: (card, options, work) =>
        inference.use(card, options, (session) =>
          work({
            ...session,
            inputs: session.inputs,
            outputs: session.outputs,
            run(feeds, signal) {
              runs += 1;
              return session.run(feeds, signal);
            },
          }),
        ),
    },
  };
}

describe('a video', () => {
  test.each([
    ['mp4', 2],
    ['webm', 2],
    ['mp4', 4],
  ] as const)('is enlarged to %s, %i times, with its times and audio', async (output_format, scale) => {
    const input = await createSquareVideo();
    const { file, frames, details, engine, counts } = await run(input, { output_format, scale });
    const { width, height, frameCount } = SQUARE_VIDEO;
    expect([file.name, file.mediaType]).toEqual([`output.${output_format}`, `video/${output_format}`]);
    expect(engine).toBe('darkroom-fast on cpu');
    const size = `${width * scale}x${height * scale}`;
    expect(details).toEqual({ input_size: `${width}x${height}`, output_size: size, scale });
    expect(frames.map((frame) => `${frame.width}x${frame.height}`)).toEqual(Array(frameCount).fill(size));
    const before = await decodeVideoFrames(input);
    expect(readFrameTimes(frames)).toEqual(readFrameTimes(before));
    frames.forEach((frame, index) => {
      const [x, y] = [10, 10];
      const original = before[index] as VideoFrame;
      const at = (y * width + x) * 4;
      expectColour(frame, [x * scale, y * scale], [...original.data.subarray(at, at + 4)]);
    });
    expect((await readAudioPackets(file.blob)).packets.length).toBeGreaterThan(0);
    expect(counts.filter(Boolean).at(-1)).toBe(`${frameCount} of ${frameCount} frames`);
  });

  test('whose frames last differently keeps their times', async () => {
    const { blob } = await encodeVideo(movingFrames(48, 32, [0.04, 0.2, 0.08, 0.04, 0.4]), {});
    const { frames } = await run(blob, {});
    expect(readFrameTimes(frames)).toEqual(readFrameTimes(await decodeVideoFrames(blob)));
  });

  test('of odd sides is enlarged to even ones', async () => {
    const { blob } = await encodeVideo(movingFrames(49, 33, [0.1, 0.1]), { format: 'webm' });
    const { frames, details } = await run(blob, { output_format: 'webm' });
    expect(details).toMatchObject({ input_size: '49x33', output_size: '98x66' });
    expect(frames.map(({ width, height }) => [width, height])).toEqual([
      [98, 66],
      [98, 66],
    ]);
  });

  test('with transparency is flattened onto white, enlarged once, and says so', async () => {
    const [frame] = movingFrames(64, 64, [0.1]);
    if (!frame) throw new Error('no frame');
    // Green where it is hidden, red elsewhere.
    const data = frame.data.map((_, at) => {
      const isHidden = (at >> 2) % 64 < 32;
      return [isHidden ? 0 : 255, isHidden ? 255 : 0, 0, isHidden ? 0 : 255][at % 4] as number;
    });
    const { blob } = await encodeVideo([{ ...frame, data }], { format: 'webm', alpha: true });
    const { inference, runs } = counting(createUpscaleInference(['darkroom-fast']));
    const { frames, warnings } = await run(blob, { output_format: 'webm' }, inference);
    expect(frames).toHaveLength(1);
    expectColour(frames[0] as VideoFrame, [20, 64], [255, 255, 255, 255]);
    expectColour(frames[0] as VideoFrame, [110, 64], [255, 0, 0, 255]);
    expect(runs()).toBe(1);
    expect(getMessages(warnings)).toContain(
      'The video is transparent in places. The result is not: they are white.',
    );
  });

  test('without transparency says nothing of it', async () => {
    const { warnings } = await run(await createSquareVideo(), {});
    expect(getMessages(warnings).filter((warning) => warning.includes('transparent'))).toEqual([]);
  });

  test('with several audio tracks keeps the one that players begin with, and says so', async () => {
    const input = await repeatAudioTrack(await videoFixture('moving.mp4'), ['deu', 'eng', 'fra']);
    const { file, warnings } = await run(input, {});
    const tracks = await new Input({
      source: new BlobSource(file.blob),
      formats: ALL_FORMATS,
    }).getAudioTracks();
    const languages = await Promise.all(tracks.map((track) => track.getLanguageCode()));
    expect(languages).toEqual(['deu']);
    expect(getMessages(warnings)).toEqual([
      expect.stringContaining('The file has 3 audio tracks. Only number 1'),
    ]);
    expect((await readAudioPackets(file.blob)).packets.length).toBe(
      (await readAudioPackets(input)).packets.length,
    );
  });

  test('is enlarged only where it changes', async () => {
    // Larger than a tile in both directions; only a corner moves.
    const still = movingFrames(300, 280, [0.1])[0] as VideoFrame;
    const frames = Array.from({ length: 6 }, (_, index): VideoFrame => {
      const data = still.data.slice();
      for (let y = 0; y < 20; y++) data.fill(index * 40, y * 300 * 4, (y * 300 + 20) * 4);
      for (let at = 3; at < data.length; at += 4) data[at] = 255;
      return { ...still, data, timestampSeconds: index / 10 };
    });
    const { blob } = await encodeVideo(frames, { format: 'webm' });
    const { inference, runs } = counting(createUpscaleInference(['darkroom-fast']));
    const { frames: enlarged } = await run(blob, { output_format: 'webm' }, inference);
    expect(enlarged).toHaveLength(6);
    // Nine tiles of the first frame; of the others, those that the codec changed.
    expect(runs()).toBeLessThan(9 * 6);
  });

  test('that is rotated is enlarged upright', async () => {
    const { frames, details } = await run(await videoFixture('rotated.mov'), {});
    const [first] = frames;
    expect(details?.output_size).toBe(`${first?.width}x${first?.height}`);
  });

  test('flickers no more than it did, and stands still where only its codec trembles', async () => {
    // A grey ramp that trembles by a step, and a corner that moves.
    const trembling = Array.from({ length: 8 }, (_, index): VideoFrame => {
      const [frame] = movingFrames(160, 96, [0.1]);
      if (!frame) throw new Error('no frame');
      const data = frame.data.map((sample, at) =>
        at % 4 === 3 || sample === 0 ? sample : sample - ((at + index) % 7 === 0 ? 1 : 0),
      );
      for (let y = 0; y < 16; y++) data.fill(index * 30, y * 640, y * 640 + 64);
      for (let at = 3; at < data.length; at += 4) data[at] = 255;
      return { ...frame, data, timestampSeconds: index / 10 };
    });
    const { blob } = await encodeVideo(trembling, { format: 'webm' });
    const { frames } = await run(blob, { output_format: 'webm' });
    const flicker = (all: readonly VideoFrame[], scale: number) => {
      const [below, aside] = [48 * scale, 80 * scale];
      const means = all.slice(1).map((frame, index) => {
        const before = all[index] as VideoFrame;
        let [sum, count] = [0, 0];
        for (let y = below; y < frame.height; y++) {
          for (let at = (y * frame.width + aside) * 4; at < (y + 1) * frame.width * 4; at++, count++) {
            sum += Math.abs((frame.data[at] as number) - (before.data[at] as number));
          }
        }
        return sum / count;
      });
      return means.reduce((sum, mean) => sum + mean, 0) / means.length;
    };
    expect(flicker(frames, 2)).toBeLessThanOrEqual(flicker(await decodeVideoFrames(blob), 1));
  });

  test('ends when it is cancelled', async () => {
    const stop = new AbortController();
    const runtime = createNodeRuntime({
      signal: stop.signal,
      inference: createUpscaleInference(['darkroom-fast']),
      onProgress: ({ count }) => count && stop.abort(),
    });
    await expect(upscale.execute(await createSquareVideo(), {}, runtime)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

describe('a video is refused', () => {
  test.each([
    [{ output_format: 'png' }, 'output_format'],
    [{ scale: 3 }, 'scale'],
  ])('with %o', async (params, message) => {
    const input = await createSquareVideo();
    await expect(upscale.quote(input, params)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(message),
    });
  });

  test('when the result would be too large to play', async () => {
    const { blob } = await encodeVideo(movingFrames(640, 16, [0.1]), {});
    await expect(upscale.quote(blob, { scale: 8 })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('4096'),
    });
  });

  test('costs 0.05 USD per started second', async () => {
    const { price } = await upscale.quote(await createSquareVideo(), {});
    expect(Number(price) % 50_000).toBe(0);
  });
});
