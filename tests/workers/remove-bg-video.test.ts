// @module-tag long

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import type { VideoFrame } from '../../models/core/runtime/video-codec.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { NodeInference } from '../../server/runtime/inference/node-inference.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { WeightStore } from '../../server/runtime/weight-store/index.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { psnr } from '../support/media/images.ts';
import { createSubjectVideo, SUBJECT_VIDEO } from '../support/media/subject-video.ts';
import { decodeVideoFrames, readAudioPackets, readFrameTimes } from '../support/media/videos.ts';

const { width: WIDTH, height: HEIGHT } = SUBJECT_VIDEO;
/** Two encoders on frames from two decoders; where the model is uncertain it amplifies their differences. */
const SAME_RESULT_DB = 28;

async function onServer(input: Blob, params: object): Promise<Blob> {
  const weights = new WeightStore({ directory: '/nowhere', mirror: null, isOffline: true });
  const inference = new NodeInference({ weights, endpoints: new Map(), memoryBytesMax: 1_000_000_000 });
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  const [file] = (await OPERATIONS['remove-bg'].execute(input, params, runtime)).files;
  if (!file) throw new Error('no file');
  return file.blob;
}

describe('removing the background of a video in the browser', () => {
  let page: WorkerPage;
  let input: Blob;
  beforeAll(async () => {
    [page, input] = await Promise.all([openSharedWorkerPage(), createSubjectVideo()]);
  });
  afterAll(() => page.stop());

  test.each([
    ['a colour behind it', { background: '#0000ff' }, 'video/mp4', [WIDTH, HEIGHT]],
    ['the matte below the colours', {}, 'video/mp4', [WIDTH, HEIGHT * 2]],
    ['alpha next to the colours', { output_format: 'webm' }, 'video/webm', [WIDTH, HEIGHT]],
  ])('with %s gives the result of the server', async (_, asked, mediaType, size) => {
    const params = { ...asked, engine: 'matte' };
    const outcome = await page.operate('remove-bg', input, params);
    expect(outcome).toMatchObject({ ok: true, mediaType, engine: 'matte on wasm' });
    const onDevice = new Blob([outcome.bytes]);
    const [device, server] = [
      await decodeVideoFrames(onDevice),
      await decodeVideoFrames(await onServer(input, params)),
    ];
    expect(readFrameTimes(device)).toEqual(readFrameTimes(server));
    device.forEach((frame, index) => {
      expect([frame.width, frame.height]).toEqual(size);
      expect(psnr(server[index] as VideoFrame, frame)).toBeGreaterThan(SAME_RESULT_DB);
    });
    expect((await readAudioPackets(onDevice)).packets.length).toBeGreaterThan(0);
  });

  test('reports the current frame and their total', async () => {
    const path = await page.put(input);
    const counts = await page.page.evaluate<object[]>(`(async () => {
      const counts = [];
      const onProgress = ({ count }) => count && counts.push(count);
      await operate('remove-bg', '${path}', { engine: 'matte' }, { onProgress });
      return counts;
    })()`);
    const { frameCount: total } = SUBJECT_VIDEO;
    // A last report may arrive after the result.
    expect(counts.length).toBeGreaterThan(0);
    expect(counts).toEqual(
      counts.map((_, index) => ({ done: index + 1, total, isGuess: false, unit: 'frame' })),
    );
  });
});
