import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveResult } from '../../../server/api/results-listener.ts';
import { schema } from '../../../server/base/database/db.ts';
import { readBalance } from '../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
const PATH = '/image-outpaint/v1/image-outpaint-request';
const extend = (body: object) => api.post(PATH, body);
const image = () => `${api.files.url}/subject.png`;

async function fileAt(url: string): Promise<Buffer> {
  const response = await serveResult(api.ctx, new Request(url));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe(`POST ${PATH}`, () => {
  beforeAll(async () => {
    api = await startApi({ RATE_LIMIT_BURST: '1000', MODELS_OFFLINE: '1' }, '2');
    await api.startRunner();
  });
  afterAll(() => api.close());

  it('returns 202, and the job completes with one image for each seed', async () => {
    const accepted = await extend({ image_url: image(), expand_left: 40, seed: 3, num_images: 2 });
    expect(accepted.status).toBe(202);
    expect(Object.keys(accepted.body)).toEqual(['request_id', 'status', 'polling_url']);
    expect(accepted.body.request_id).toMatch(/^image-outpaint_[0-9a-f]{32}$/);
    const job = await api.ended(accepted.body.request_id);
    expect(job).toMatchObject({
      status: 'COMPLETED',
      output: {
        media_url: [expect.stringContaining('extended-3.png'), expect.stringContaining('extended-4.png')],
        media_type: 'image/png',
      },
      billing: { held_usd: '0.00', charged_usd: '0.24' },
    });
    for (const url of job.output.media_url) {
      expect(await sharp(await fileAt(url)).metadata()).toMatchObject({
        width: 200,
        height: 120,
        format: 'png',
      });
    }
  });

  it('says next to the output how well the simple fill is expected to do, and warns where it is poor', async () => {
    const extended = async (image_url: string, expand_right: number) => {
      const { body } = await extend({ image_url, expand_right, seed: 1 });
      return await api.ended(body.request_id);
    };
    const even = await sharp({ create: { width: 160, height: 120, channels: 3, background: '#678' } })
      .png()
      .toBuffer();
    const { body: upload } = await api.upload(new Uint8Array(even));
    const good = await extended(upload.upload_url, 20);
    expect(good).toMatchObject({ status: 'COMPLETED', fill_quality: expect.closeTo(0.88, 1), warnings: [] });
    expect(good.output).not.toHaveProperty('fill_quality');
    const { body: again } = await api.upload(new Uint8Array(even));
    const poor = await extended(again.upload_url, 500);
    expect(poor.fill_quality).toBeLessThan(0.5);
    expect(poor.warnings).toEqual([
      'fill_quality: the image was extended by the simple fill, without a model, and the added area is large next to it. The result may not convince.',
    ]);
  });

  it('returns 200 with the ended job when sync_mode is true', async () => {
    const { status, body } = await extend({
      image_url: image(),
      sync_mode: true,
      output_format: 'jpg',
      prompt: 'sea',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'COMPLETED',
      model_id: 'image-outpaint',
      error: null,
      output: { media_type: 'image/jpeg' },
      warnings: [
        expect.stringMatching(/^prompt: it was not applied/),
        expect.stringMatching(/^fill_quality: .*without a model/),
      ],
    });
    expect(await sharp(await fileAt(body.output.media_url[0])).metadata()).toMatchObject({
      width: 160,
      height: 120,
    });
  });

  it('returns 202, and a corrupt image ends FAILED without a charge', async () => {
    const whole = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { body: upload } = await api.upload(new Uint8Array(whole.subarray(0, 200)));
    const before = await readBalance(api.ctx.db, api.accountId);
    const { body } = await extend({ image_url: upload.upload_url, expand_top: 10 });
    expect(await api.ended(body.request_id)).toMatchObject({
      status: 'FAILED',
      output: null,
      fill_quality: null,
    });
    expect(await readBalance(api.ctx.db, api.accountId)).toEqual(before);
  });
});

describe(`POST ${PATH} returns 400`, () => {
  let refusing: TestApi;
  beforeAll(async () => {
    refusing = await startApi({ RATE_LIMIT_BURST: '1000' });
  });
  afterAll(() => refusing.close());

  it.each([
    ['no image', { image_url: undefined }, /^image_url, image_b64: exactly one of them must be given/],
    ['a margin of 701', { expand_left: 701 }, /^expand_left: must be at most 700/],
    ['a negative margin', { expand_top: -1 }, /^expand_top: must be at least 0/],
    ['a margin that is no whole number', { expand_right: 2.5 }, /^expand_right: must be an integer/],
    ['a margin as text', { expand_bottom: '20' }, /^expand_bottom: must be a number/],
    ['a negative zoom', { zoom_out_percentage: -0.1 }, /^zoom_out_percentage: must be at least 0/],
    ['a zoom that adds nothing', { zoom_out_percentage: 100 }, /^zoom_out_percentage: .*add nothing/],
    ['no images', { num_images: 0 }, /^num_images: must be at least 1/],
    ['nine images', { num_images: 9 }, /^num_images: must be at most 8/],
    ['a negative seed', { seed: -1 }, /^seed: must be at least 0/],
    [
      'a format that is not offered',
      { output_format: 'gif' },
      /^output_format: must be one of png, jpeg, jpg, webp/,
    ],
    ['sync_mode as text', { sync_mode: 'yes' }, /^sync_mode: must be a boolean/],
    ['an unknown engine', { engine: 'magic' }, /^engine: must be one of auto, sd15-inpaint-fp16/],
    ['an unknown field', { expand: 10 }, /^expand: unknown field/],
  ])('for %s', async (_name, fields, message) => {
    const response = await refusing.post(PATH, { image_url: refusing.imageUrl, ...fields });
    expect(response).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', message: expect.stringMatching(message) },
    });
    const { db, env } = refusing.ctx;
    expect([await db.$count(schema.jobs), await db.$count(schema.holds)]).toEqual([0, 0]);
    expect(await readdir(join(env.DATA_DIR, 'incoming')).catch(() => [])).toEqual([]);
  });
});
