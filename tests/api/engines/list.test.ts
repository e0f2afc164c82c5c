import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOwnEngines } from '../../../models/core/runtime/fit.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { engineListSchema } from '../../../server/api/routes/list-engines.ts';
import { schema } from '../../../server/base/database/db.ts';
import { readBalance } from '../../../server/money/wallet/index.ts';
import { AcceptanceStore } from '../../../server/runtime/acceptance/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let offline: TestApi;
let online: TestApi;
let small: TestApi;
beforeAll(async () => {
  offline = await startApi({ MODELS_OFFLINE: '1' });
  online = await startApi();
  small = await startApi({ MODELS_OFFLINE: '1', INFERENCE_MEMORY_MB: '10' });
});
afterAll(() => Promise.all([offline, online, small].map((api) => api.close())));

async function list(api: TestApi) {
  const { status, body } = await api.call('GET', '/api/v2/engines');
  expect(status).toBe(200);
  expect(engineListSchema.strict().parse(body)).toEqual(body);
  const getEngine = (id: string) => body.engines.find((engine: { id: string }) => engine.id === id);
  return { categories: body.categories, getEngine };
}

describe('GET /v2/engines needs no key', () => {
  it('and lists the engines and categories of an installation without downloads', async () => {
    const { categories, getEngine } = await list(offline);
    expect(categories).toEqual([
      { category: 'Hate', available: false },
      { category: 'SelfHarm', available: false },
      { category: 'Sexual', available: true },
      { category: 'Violence', available: false },
    ]);
    expect(getEngine('matte')).toMatchObject({ model_id: 'remove-bg', available: true, reason: null });
    expect(getEngine('median-filter')).toMatchObject({ bytes: 0, commercial: 'yes', available: true });
    expect(getEngine('htdemucs')).toMatchObject({
      commercial: 'no',
      available: false,
      licence: 'Research only',
      reason:
        'The licence of its weights htdemucs forbids commercial use, and MODELS_LICENCES allows commercial ones only.',
      acceptance: null,
    });
    expect(getEngine('u2netp').reason).toBe('Its weights u2netp are missing.');
    expect(getEngine('clip-vit-b32-vision-uint8')).toMatchObject({ bytes: null, available: false });
    expect(getEngine('darkroom')).toMatchObject({ model_id: 'upscale', available: true });
    expect(getEngine('silero-speakers')).toMatchObject({ model_id: 'audio-diarize', available: true });
    expect(getEngine('pyannote-segmentation-3.0-int8')).toMatchObject({
      model_id: 'audio-diarize',
      commercial: 'yes',
      available: false,
      reason: 'Its weights pyannote-segmentation-3.0-int8 are missing.',
    });
    expect(getEngine('spleeter-4stems-fp16')).toMatchObject({
      model_id: 'audio-separate-stems',
      commercial: 'yes',
      bytes: null,
      available: false,
      reason: 'Its weights spleeter-4stems-fp16/vocals are missing.',
    });
  });

  it('and takes engines whose weights may be fetched as available', async () => {
    const { categories, getEngine } = await list(online);
    expect(categories.every(({ available }: { available: boolean }) => available)).toBe(true);
    expect(getEngine('u2netp')).toMatchObject({ available: true, licence: 'Apache-2.0' });
  });

  it('and shows what was measured here', async () => {
    const [matte] = listOwnEngines(OPERATIONS['remove-bg']).filter(({ id }) => id === 'matte');
    if (!matte) throw new Error('there is no such engine');
    const measured = {
      measure: 'IoU',
      figure: 0.92,
      floor: 0.91,
      passed: true,
      seconds: 1.5,
      per: 'megapixel',
      memoryBytes: 150_000_000,
      measuredAt: '2026-01-01T00:00:00.000Z',
    } as const;
    await new AcceptanceStore(online.ctx.env).write('remove-bg', matte, measured);
    const { getEngine } = await list(online);
    const { memoryBytes: memory_bytes, measuredAt: measured_at, ...rest } = measured;
    expect(getEngine('matte')).toMatchObject({ acceptance: { ...rest, memory_bytes, measured_at } });
  });

  it('and names a lack of memory', async () => {
    const { getEngine } = await list(small);
    expect(getEngine('nsfw-mobilenet').reason).toBe(
      'It needs 120 MB of memory, and INFERENCE_MEMORY_MB allows 10.',
    );
  });
});

describe('a request that no engine here can serve is refused at once, without a job, a hold or Retry-After', () => {
  const moderate = (params: object) =>
    offline.post('/content-safety/v1/image-moderation', { image_url: offline.imageUrl, ...params });

  it.each([
    [{}, 'Hate, SelfHarm, Violence'],
    [{ categories: ['Hate'] }, 'Hate'],
    [{ categories: ['Violence', 'Sexual'] }, 'Violence'],
  ])('a category: %j', async (params, names) => {
    const before = await readBalance(offline.ctx.db, offline.accountId);
    const { status, headers, body } = await moderate(params);
    expect([status, headers.get('retry-after'), headers.get('error-code')]).toEqual([
      503,
      null,
      'category_unavailable',
    ]);
    expect(body).toMatchObject({ code: 'category_unavailable', field: 'categories' });
    expect(body.message).toContain(`judge ${names}. Available here: Sexual.`);
    expect(await readBalance(offline.ctx.db, offline.accountId)).toEqual(before);
    expect(await offline.ctx.db.$count(schema.jobs)).toBe(0);
  });

  it.each([
    ['/v1/remove-bg', { engine: 'u2netp' }, 'engine'],
    ['/v1/upscale', { model: 'realesrgan-x4plus' }, 'model'],
    ['/v2/quotes', { engine: 'u2netp' }, 'engine'],
  ])('a named engine: %s', async (path, params, field) => {
    const request = { image_url: offline.imageUrl, ...params };
    const body = path === '/v2/quotes' ? { model_id: 'remove-bg', request } : request;
    const response = await offline.post(path, body);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, null]);
    expect(response.body).toMatchObject({ code: 'engine_unavailable', field });
    expect(response.body.message).toMatch(/weights .* are missing/);
    expect(await offline.ctx.db.$count(schema.jobs)).toBe(0);
  });

  it.each([
    ['/v1/audio-separate-stems', 'htdemucs-fp16', 'forbids commercial use'],
    ['/v1/remove-bg', 'isnet-general-use', 'leaves commercial use unclear'],
  ])('an engine whose licence is not commercial: %s', async (_path, engine, reason) => {
    const model_id = engine.startsWith('htdemucs') ? 'audio-separate-stems' : 'remove-bg';
    const response = await online.post('/v2/quotes', {
      model_id,
      request: { [model_id === 'remove-bg' ? 'image_url' : 'audio_url']: online.imageUrl, engine },
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, null]);
    expect(response.body).toMatchObject({ code: 'engine_unavailable', field: 'engine' });
    expect(response.body.message).toContain(reason);
  });

  it('an engine that failed its acceptance test', async () => {
    const [matte] = listOwnEngines(OPERATIONS['remove-bg']).filter(({ id }) => id === 'matte');
    if (!matte) throw new Error('there is no such engine');
    await new AcceptanceStore(small.ctx.env).write('remove-bg', matte, {
      measure: 'IoU',
      figure: 0.2,
      floor: 0.91,
      passed: false,
      seconds: 0,
      per: 'megapixel',
      memoryBytes: 0,
      measuredAt: '2026-01-01T00:00:00.000Z',
    });
    const response = await small.post('/v1/remove-bg', { image_url: small.imageUrl, engine: 'matte' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, null]);
    expect(response.body).toMatchObject({ code: 'engine_unavailable', field: 'engine' });
    expect(response.body.message).toContain('IoU 0.2, and at least 0.91 is needed');
    expect(await small.ctx.db.$count(schema.jobs)).toBe(0);
  });

  it('a batch fails only in the item', { tags: ['long'] }, async () => {
    await offline.startRunner();
    const { body } = await offline.removeBgBatch({
      items: [
        { image_url: `${offline.files.url}/subject.png` },
        { image_url: offline.imageUrl, engine: 'u2netp' },
      ],
    });
    const { output } = await offline.ended(body.request_id);
    expect(output.items).toMatchObject([
      { status: 'success' },
      { status: 'failed', code: 'engine_unavailable', field: 'items[1].engine', request_id: body.request_id },
    ]);
  });
});
