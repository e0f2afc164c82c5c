import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { createSquareVideo } from '../../support/media/square-video.ts';
import { videoFixture } from '../../support/media/videos.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

// A rejected request leaves no job, no hold and no file.
afterEach(async () => {
  const { db, env } = api.ctx;
  expect([await db.$count(schema.jobs), await db.$count(schema.holds)]).toEqual([0, 0]);
  expect(await readdir(join(env.DATA_DIR, 'incoming')).catch(() => [])).toEqual([]);
});

const image = () => `${api.files.url}/subject.png`;

const BODIES: [string, () => object, string, RegExp][] = [
  [
    'no input',
    () => ({}),
    'Bad Request',
    /^image_url, image_b64, video_url: exactly one of them must be given\.$/,
  ],
  [
    'two inputs',
    () => ({ image_url: image(), video_url: image() }),
    'Bad Request',
    /exactly one of them must be given/,
  ],
  ['a scale of 3', () => ({ image_url: image(), scale: 3 }), 'Bad Request', /^scale: must be one of 2, 4, 8/],
  [
    'a scale as text',
    () => ({ image_url: image(), scale: '2' }),
    'Bad Request',
    /^scale: must be one of 2, 4, 8/,
  ],
  [
    'an unknown model',
    () => ({ image_url: image(), model: 'sharper' }),
    'Model not found',
    /^Model 'sharper' not found or disabled$/,
  ],
  [
    'a video format for an image',
    () => ({ image_url: image(), output_format: 'mp4' }),
    'Bad Request',
    /^output_format: must be one of png, jpeg, webp for an image/,
  ],
  ['an image as video_url', () => ({ video_url: image() }), 'Bad Request', /^video_url: /],
  [
    'an unknown field',
    () => ({ image_url: image(), sharpness: 3 }),
    'Bad Request',
    /^sharpness: unknown field/,
  ],
];

describe('POST /v1/upscale returns 400', () => {
  it.each(BODIES)('for %s', async (_name, makeBody, error, message) => {
    const response = await api.post('/v1/upscale', makeBody());
    expect(response).toMatchObject({ status: 400, body: { error, message: expect.stringMatching(message) } });
  });

  it('for a result of more than 100 megapixels', async () => {
    const large = await sharp({ create: { width: 5001, height: 5000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { body } = await api.upload(new Uint8Array(large));
    const response = await api.post('/v1/upscale', { image_url: body.upload_url, scale: 2 });
    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^scale: .*At most 100/) },
    });
  });

  it('for a model that would take hours', async () => {
    const large = await sharp({ create: { width: 3000, height: 3000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { body } = await api.upload(new Uint8Array(large));
    const response = await api.post('/v1/upscale', {
      image_url: body.upload_url,
      model: 'realesrgan-x4plus',
    });
    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^model: realesrgan-x4plus would take too long/) },
    });
  });

  it('for a video without a video track', async () => {
    const { body } = await api.upload(new Uint8Array(await (await videoFixture('tone.mkv')).arrayBuffer()));
    const response = await api.post('/v1/upscale', { video_url: body.upload_url });
    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^video_url: The file has no video track/) },
    });
  });

  it('for a video as image_url', async () => {
    const { body } = await api.upload(new Uint8Array(await (await createSquareVideo()).arrayBuffer()));
    const response = await api.post('/v1/upscale', { image_url: body.upload_url });
    expect(response.status).toBe(400);
  });
});
