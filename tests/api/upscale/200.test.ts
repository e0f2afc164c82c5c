import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultSchema } from '../../../models/operations/upscale/schema.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { createSquareVideo } from '../../support/media/square-video.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000', RUNNER_CONCURRENCY: '2' });
  await api.startRunner();
});
afterAll(() => api.close());

const upscale = (body: object) => api.post('/v1/upscale', body);

async function getResult({ body }: ApiResponse): Promise<Buffer> {
  const response = await serveResult(api.ctx, new Request(body.output_url));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe('POST /v1/upscale returns 200', () => {
  it('with the specified members, then the additional ones, and charges once', async () => {
    const response = await upscale({ image_url: `${api.files.url}/subject.png` });
    expect(response.status).toBe(200);
    expect(Object.keys(response.body)).toEqual([
      ...Object.keys(resultSchema.shape),
      ...['request_id', 'engine', 'engine_licence', 'warnings'],
    ]);
    expect(response.body).toMatchObject({
      status: 'success',
      input_size: '160x120',
      output_size: '320x240',
      scale: 2,
      credits_used: 5,
      request_id: expect.stringMatching(/^upscale_[0-9a-f]{32}$/),
      engine: 'darkroom on cpu',
      warnings: [],
    });
    expect(await sharp(await getResult(response)).metadata()).toMatchObject({
      format: 'png',
      width: 320,
      height: 240,
    });
  });

  it.each([
    [
      { scale: 4, output_format: 'jpeg' },
      { format: 'jpeg', width: 640, height: 480 },
    ],
    [
      { scale: 8, output_format: 'webp' },
      { format: 'webp', width: 1280, height: 960 },
    ],
    [{ model: 'darkroom-fast' }, { format: 'png', width: 320, height: 240 }],
    [
      { model: 'crystal-upscaler', output_format: 'png' },
      { format: 'png', width: 320, height: 240 },
    ],
  ])('for %o', { tags: ['long'] }, async (params, expected) => {
    const response = await upscale({ image_url: `${api.files.url}/subject.png`, ...params });
    expect(response.status).toBe(200);
    expect(await sharp(await getResult(response)).metadata()).toMatchObject(expected);
  });

  it('for a video', async () => {
    const { body } = await api.upload(new Uint8Array(await (await createSquareVideo()).arrayBuffer()));
    const response = await upscale({ video_url: body.upload_url });
    expect(response).toMatchObject({
      status: 200,
      body: { input_size: '96x64', output_size: '192x128', credits_used: 50, engine: 'darkroom-fast on cpu' },
    });
    expect(response.body.output_url).toMatch(/output\.mp4/);
  });
});
