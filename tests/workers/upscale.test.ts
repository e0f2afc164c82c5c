import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { NodeInference } from '../../server/runtime/inference/node-inference.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { WeightStore } from '../../server/runtime/weight-store/index.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { createSquareVideo } from '../support/media/square-video.ts';
import { drawSubjectPicture } from '../support/media/subject-picture.ts';
import { decodeVideoFrames, readFrameTimes } from '../support/media/videos.ts';

async function onServer(input: Blob, params: object): Promise<ArrayBuffer> {
  const weights = new WeightStore({ directory: '/nowhere', mirror: null, isOffline: true });
  const inference = new NodeInference({ weights, endpoints: new Map(), memoryBytesMax: 1_000_000_000 });
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  const { files } = await OPERATIONS.upscale.execute(input, params, runtime);
  return files[0]?.blob.arrayBuffer() ?? new ArrayBuffer(0);
}

/** Makes the canvas of a worker write PNG in place of WebP, as a browser without an encoder does. */
const CANVAS_WITHOUT_WEBP = `{
  const { prototype } = OffscreenCanvas;
  const write = prototype.convertToBlob;
  prototype.convertToBlob = function (options) {
    return write.call(this, options?.type === 'image/webp' ? { type: 'image/png' } : options);
  };
}`;

const samplesOf = (file: ArrayBuffer | Uint8Array) => sharp(file).raw().toBuffer({ resolveWithObject: true });

describe('upscale in the browser', () => {
  let page: WorkerPage;
  let picture: Blob;
  beforeAll(async () => {
    [page, picture] = await Promise.all([openSharedWorkerPage(), drawSubjectPicture(320, 240)]);
  });
  afterAll(() => page.stop());

  async function expectSameImage(
    params: { scale?: number; model?: string },
    engine: string,
    width: number,
  ): Promise<void> {
    const picture = await drawSubjectPicture(width, (width * 3) / 4);
    const { bytes, ...outcome } = await page.operate('upscale', picture, params);
    expect(outcome).toMatchObject({ ok: true, engine: `${engine} on wasm`, warnings: [] });
    const [here, there] = await Promise.all([samplesOf(bytes), samplesOf(await onServer(picture, params))]);
    expect(here.info.width).toBe(width * (params.scale ?? 2));
    expect(here.data).toHaveLength(there.data.length);
    const isOff = (sample: number, at: number) => Math.abs(sample - (there.data[at] as number)) > 1;
    expect(here.data.findIndex(isOff)).toBe(-1);
  }

  // Larger than a tile, but for the slow one.
  test('gives the image of the server within one step', () =>
    expectSameImage({ model: 'darkroom-fast' }, 'darkroom-fast', 320));

  test.each([
    [{}, 'darkroom', 320],
    [{ scale: 4 }, 'darkroom', 320],
    [{ scale: 8 }, 'darkroom', 80],
  ])('%o gives the image of the server within one step', { tags: ['long'] }, expectSameImage);

  test('a compressed photograph is restored, as on the server', { tags: ['long'] }, async () => {
    const photograph = sharp('public/samples/lemur.jpg').resize(240).jpeg({ quality: 40 });
    const compressed = new Blob([new Uint8Array(await photograph.toBuffer())]);
    const { bytes, ...outcome } = await page.operate('upscale', compressed, {});
    expect(outcome).toMatchObject({ ok: true, engine: 'darkroom-restore on wasm', warnings: [] });
    const [here, there] = await Promise.all([
      samplesOf(bytes),
      samplesOf(await onServer(compressed, { model: 'darkroom-restore' })),
    ]);
    expect(here.data).toHaveLength(there.data.length);
    // Decoders of JPEG differ by a step or two, too.
    const isOff = (sample: number, at: number) => Math.abs(sample - (there.data[at] as number)) > 6;
    expect(here.data.findIndex(isOff)).toBe(-1);
  });

  test.each(['jpeg', 'webp'])('writes %s', { tags: ['long'] }, async (output_format) => {
    const { bytes, ...outcome } = await page.operate('upscale', picture, { output_format });
    expect(outcome).toMatchObject({ ok: true, mediaType: `image/${output_format}` });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: output_format, width: 640, height: 480 });
  });

  test('writes webp in a browser whose canvas does not', { tags: ['long'] }, async () => {
    const own = await openSharedWorkerPage();
    try {
      await own.page.route('**/operation.worker.*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: CANVAS_WITHOUT_WEBP + (await response.text()) });
      });
      const { bytes, ...outcome } = await own.operate('upscale', picture, { output_format: 'webp' });
      expect(outcome).toMatchObject({ ok: true, mediaType: 'image/webp' });
      const [written, expected] = await Promise.all([
        sharp(bytes).removeAlpha().raw().toBuffer(),
        sharp(await onServer(picture, {}))
          .raw()
          .toBuffer(),
      ]);
      expect(written).toHaveLength(expected.length);
      const difference = written.reduce(
        (sum, sample, at) => sum + Math.abs(sample - (expected[at] as number)),
        0,
      );
      expect(difference / written.length).toBeLessThan(4);
    } finally {
      await own.stop();
    }
  });

  test('enlarges a video and keeps its times', { tags: ['long'] }, async () => {
    const video = await createSquareVideo();
    const { bytes, ...outcome } = await page.operate('upscale', video, { output_format: 'webm' });
    expect(outcome).toMatchObject({ ok: true, engine: 'darkroom-fast on wasm' });
    const frames = await decodeVideoFrames(new Blob([bytes]));
    expect(frames.map(({ width, height }) => [width, height])).toEqual(frames.map(() => [192, 128]));
    const starts = readFrameTimes(await decodeVideoFrames(video)).map(([start]) => start);
    expect(readFrameTimes(frames).map(([start]) => start)).toEqual(starts);
  });
});
