import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGplFilePath } from '../../../server/api/transport/paths.ts';
import { readEnv } from '../../../server/base/env.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

describe('with GPL_ENCODERS=off', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ GPL_ENCODERS: 'off' });
  });
  afterAll(() => api.close());

  it('heic returns 400 with the allowed formats, before the image is fetched', async () => {
    const response = await api.convert({ image_url: api.imageUrl, to_format: 'heic' });
    expect(response).toMatchObject({
      status: 400,
      body: {
        error: 'Bad Request',
        message: expect.stringMatching(/^to_format: heic .* Choose jpg,.* bmp\.$/),
      },
    });
    expect(api.files.hits.size).toBe(0);
  });

  it('a video without a format returns 400 and names webm', async () => {
    const response = await api.removeBg({ video_url: `${api.files.url}/video.mp4` });
    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^output_format: mp4 .* Choose webm\.$/) },
    });
  });

  it('an image as mp4 returns 400 and names the image formats', async () => {
    const response = await api.removeBg({ image_url: api.imageUrl, output_format: 'mp4' });
    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^output_format: .*png.*jpeg.*webp/) },
    });
  });

  it('other formats return 202', async () => {
    expect((await api.convert({ image_url: api.imageUrl, to_format: 'avif' })).status).toBe(202);
  });
});

it('GPL_ENCODERS defaults to on, and accepts only on and off', () => {
  expect(readEnv({}).GPL_ENCODERS).toBe(true);
  expect(readEnv({ GPL_ENCODERS: 'off' }).GPL_ENCODERS).toBe(false);
  expect(() => readEnv({ GPL_ENCODERS: 'no' })).toThrow(/GPL_ENCODERS: .*on.*off/);
});

it.each([
  ['/_next/static/media/ffmpeg-core.1a2b.wasm', true],
  ['/_next/static/media/ffmpeg%2Dcore.1a2b.worker.js', true],
  ['/_next/static/media/FFmpeg-Core.1a2b.js?x=1', true],
  ['/_next/static/media/vips.1a2b.wasm', false],
  ['/_next/static/media/ffmpeg%2Dcore.1a2b.wasm?%', true],
  ['/x/..//_next/static/media/ffmpeg-core.1a2b.wasm', true],
  ['/%5Fnext/static/media/ffmpeg-core.1a2b.wasm', true],
  ['/_next/static/media/ffmpeg-core%E0%A4%A.wasm', true],
  ['/_next/static/media/vips.1a2b.wasm?q=ffmpeg-core', false],
  ['/?q=ffmpeg-core', false],
  ['/cdn/outputs/ffmpeg-core.png', false],
])('%s is a file of ffmpeg.wasm: %s', (url, isGpl) => {
  expect(isGplFilePath(url)).toBe(isGpl);
});
