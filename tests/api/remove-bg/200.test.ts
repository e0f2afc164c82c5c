import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultSchema } from '../../../models/operations/remove-bg/schema.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { schema } from '../../../server/base/database/db.ts';
import { type ApiResponse, drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000', RUNNER_CONCURRENCY: '2' });
  await api.startRunner();
});
afterAll(() => api.close());

const imageUrl = () => `${api.files.url}/subject.png`;

/** Reads alpha and colour at a pixel of the result, from its URL. */
async function readResult({ body }: ApiResponse) {
  const response = await serveResult(api.ctx, new Request(body.output_url));
  expect(response.status).toBe(200);
  const image = sharp(Buffer.from(await response.arrayBuffer()));
  const { format, hasAlpha } = await image.metadata();
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4).subarray(0, 4)];
  return { format, hasAlpha, pixel, mediaType: response.headers.get('content-type') };
}

describe('POST /v1/remove-bg returns 200', () => {
  it('with the specified members, then the additional ones, and charges once', async () => {
    const response = await api.removeBg({ image_url: imageUrl() });
    expect(response.status).toBe(200);
    expect(Object.keys(response.body)).toEqual([
      ...Object.keys(resultSchema.shape),
      ...['request_id', 'engine', 'engine_licence', 'warnings', 'cached'],
    ]);
    expect(response.body).toMatchObject({
      status: 'success',
      original_size: '160x120',
      subjects_detected: 1,
      matte_quality: expect.stringMatching(/^(high|medium|low)$/),
      request_id: expect.stringMatching(/^remove-bg_[0-9a-f]{32}$/),
      engine: 'matte on cpu',
      warnings: [],
    });
    expect(response.body.processing_ms).toBeGreaterThan(0);
    const { format, mediaType, pixel } = await readResult(response);
    expect([format, mediaType]).toEqual(['png', 'image/png']);
    expect(pixel(4, 4)[3]).toBeLessThan(30);
    expect(pixel(80, 70)[3]).toBeGreaterThan(200);
    const wallet = await api.call('GET', '/api/v2/wallet', {
      headers: { authorization: `Bearer ${api.apiKey}` },
    });
    expect(wallet.body).toEqual({ balance_usd: '0.99', held_usd: '0.00', available_usd: '0.99' });
  });

  it('and the status of its job shows the same result later', async () => {
    const { body } = await api.removeBg({ image_url: imageUrl(), output_format: 'webp' });
    const job = await api.status(body.request_id);
    const { request_id, engine, engine_licence, warnings, cached, ...result } = body;
    expect(job.body).toMatchObject({
      status: 'COMPLETED',
      model_id: 'remove-bg',
      engine,
      warnings,
      output: { media_url: [body.output_url], media_type: 'image/webp', result },
      billing: { charged_usd: '0.01' },
    });
  });

  it.each([
    ['raw', (base64: string) => base64],
    ['without padding', (base64: string) => base64.replace(/=+$/, '')],
    ['as a data URI', (base64: string) => `data:image/jpeg;base64,${base64}`],
  ])('for base64 %s', async (_name, write) => {
    const image_b64 = write((await drawRedBall('jpeg')).toString('base64'));
    const response = await api.removeBg({ image_b64, subject: 'primary' });
    expect(response).toMatchObject({ status: 200, body: { original_size: '160x120' } });
  });

  it('for an upload', async () => {
    const { body } = await api.upload(new Uint8Array(await drawRedBall('webp')));
    const response = await api.removeBg({ image_url: body.upload_url });
    expect(response).toMatchObject({ status: 200, body: { original_size: '160x120' } });
  });

  it.each([
    ['a URL', async () => `${api.files.url}/sky.png`],
    [
      'an upload',
      async () => {
        const sky = sharp({ create: { width: 30, height: 20, channels: 3, background: '#80a0e0' } });
        return (await api.upload(new Uint8Array(await sky.png().toBuffer()))).body.upload_url;
      },
    ],
  ])('with %s as background, which is deleted with the input', async (_name, background) => {
    const response = await api.removeBg({ image_url: imageUrl(), background: await background() });
    expect(response.status).toBe(200);
    const { pixel } = await readResult(response);
    expect(pixel(4, 4)).toEqual([128, 160, 224, 255]);
    const files = await api.ctx.db
      .select()
      .from(schema.files)
      .where(eq(schema.files.jobId, response.body.request_id));
    const attachment = files.find(({ role }) => role === 'attachment');
    expect(attachment).toMatchObject({ name: 'background', mediaType: 'image/png', position: 0 });
    await expect
      .poll(async () => (await api.ctx.storage.get(attachment?.key ?? '').catch(() => null)) === null)
      .toBe(true);
  });

  it('and replays it under the same Idempotency-Key', async () => {
    const send = () => api.removeBg({ image_url: imageUrl() }, { 'idempotency-key': 'cut-1' });
    const first = await send();
    const second = await send();
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  });
});
