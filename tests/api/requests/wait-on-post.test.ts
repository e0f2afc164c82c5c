import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';

let api: TestApi;
let getFaults: Awaited<ReturnType<typeof createConformanceCheck>>;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  getFaults = await createConformanceCheck(api);
});
afterAll(() => api.close());

const CONVERT = '/media-tools/v1/image-convert';
const image = () => ({ image_url: `${api.files.url}/subject.png` });
const conversion = () => ({ ...image(), to_format: 'webp' });

async function post(path: string, body: object, prefer: string, headers: Record<string, string> = {}) {
  const response = await api.post(path, body, { prefer, ...headers });
  expect(getFaults('POST', path, response)).toEqual([]);
  return response;
}

describe('POST with Prefer: wait', { timeout: 120_000 }, () => {
  it.each([
    [CONVERT, () => conversion()],
    [`${CONVERT}/batch`, () => ({ items: [conversion()] })],
    ['/v1/remove-bg', () => image()],
    [
      '/content-safety/v1/image-moderation/batch',
      () => ({ items: [{ ...image(), categories: ['Sexual'] }] }),
    ],
  ])('to %s returns 202 once the time is over', async (path, body) => {
    const { status, body: accepted } = await post(path, body(), 'wait=1');
    expect([status, accepted.status]).toEqual([202, 'QUEUED']);
    const { body: job } = await api.status(accepted.request_id);
    expect(job.status).toBe('QUEUED');
  });

  it('returns 202 at once for no time, for no number, and next to respond-async', async () => {
    const began = await api.ctx.db.$count(schema.jobs);
    for (const prefer of ['wait=0', 'wait=soon', 'respond-async, wait=60']) {
      expect((await post(CONVERT, conversion(), prefer)).status).toBe(202);
    }
    expect(await api.ctx.db.$count(schema.jobs)).toBe(began + 3);
  });

  it('returns 200 with the job that has ended, and replays it under its Idempotency-Key', async () => {
    await api.startRunner();
    const key = { 'idempotency-key': 'wait' };
    const { status, body } = await post(CONVERT, conversion(), 'wait=60', key);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'COMPLETED', output: { files: [{ name: 'subject.webp' }] } });
    const again = await post(CONVERT, conversion(), 'wait=60', key);
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', body]);
  });

  it('returns 200 with a batch that has ended, and with a job that has failed', async () => {
    const batch = await post(`${CONVERT}/batch`, { items: [conversion()] }, 'wait=60');
    expect(batch).toMatchObject({
      status: 200,
      body: { status: 'COMPLETED', output: { items: [{ status: 'success' }] } },
    });
    const damaged = Buffer.from((await (await fetch(api.imageUrl)).arrayBuffer()).slice(0, 60));
    const { upload_url } = (await api.upload(damaged)).body;
    const failed = await post(CONVERT, { image_url: upload_url, to_format: 'webp' }, 'wait=60');
    expect(failed).toMatchObject({ status: 200, body: { status: 'FAILED', output: null } });
  });
});
