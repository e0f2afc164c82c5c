import { expect, it } from 'vitest';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { getPicture } from '../../../models/kernels/raster/picture.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';

const { signal } = new AbortController();
const data = new Uint8Array(64 * 64 * 4).fill(200);

function encodeImage(format: ImageFormat, gplEncoders: boolean): Promise<Blob> {
  const { images } = createNodeRuntime({ signal, gplEncoders });
  const picture = getPicture(
    { width: 64, height: 64, data: data.slice() },
    { hasAlpha: false, metadata: {} },
  );
  return images.encode(picture, { format, quality: 50, background: [0, 0, 0], metadata: {}, signal });
}

async function encodeVideo(format: 'mp4' | 'webm', gplEncoders: boolean): Promise<Blob> {
  const { video } = createNodeRuntime({ signal, gplEncoders });
  async function* frames(): AsyncGenerator<VideoFrame> {
    yield { width: 64, height: 64, data: data.slice(), timestampSeconds: 0, durationSeconds: 0.04 };
  }
  const options = { format, alpha: false, frameRate: 25, soundFrom: null, signal };
  return (await video.encode(frames(), options)).blob;
}

const REFUSED = { code: 'unprocessable', message: expect.stringContaining('leaves out') };

it('an earlier job for heic or mp4 is rejected, and charged nothing', async () => {
  await expect(encodeImage('heic', false)).rejects.toMatchObject(REFUSED);
  await expect(encodeVideo('mp4', false)).rejects.toMatchObject(REFUSED);
});

it('formats of other encoders are still written', async () => {
  expect((await encodeImage('avif', false)).size).toBeGreaterThan(0);
  expect((await encodeVideo('webm', false)).size).toBeGreaterThan(0);
});

it('with GPL encoders heic and mp4 are written', async () => {
  expect((await encodeImage('heic', true)).size).toBeGreaterThan(0);
  expect((await encodeVideo('mp4', true)).size).toBeGreaterThan(0);
});
