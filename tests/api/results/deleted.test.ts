import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveResult } from '../../../server/api/results-listener.ts';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';

let api: TestApi;
let bearer: { authorization: string };
let getFaults: Awaited<ReturnType<typeof createConformanceCheck>>;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000', RESULT_TTL_HOURS: '48' }, '5');
  bearer = { authorization: `Bearer ${api.apiKey}` };
  getFaults = await createConformanceCheck(api);
});
afterAll(() => api.close());

const ROUTE = '/v2/requests/{request_id}/output';
const subject = () => ({ image_url: `${api.files.url}/subject.png` });

async function deleteOutput(id: string, headers = bearer): Promise<ApiResponse> {
  const response = await api.call('DELETE', `/api/v2/requests/${id}/output`, { headers });
  expect(getFaults('delete', ROUTE, response)).toEqual([]);
  return response;
}

describe('DELETE /v2/requests/{id}/output', { timeout: 120_000 }, () => {
  it('returns 409 while the job waits, and 404 for an unknown job and one of another key', async () => {
    const { request_id } = (await api.convert({ ...subject(), to_format: 'webp' })).body;
    expect(await deleteOutput(request_id)).toMatchObject({
      status: 409,
      body: { code: 'conflict', request_id },
    });
    expect((await deleteOutput('upscale_0')).status).toBe(404);
    const limits = { accountId: api.accountId, name: 'other', operations: ['media-convert-image'] };
    const { apiKey } = await issueKey(api.ctx.db, limits);
    expect((await deleteOutput(request_id, { authorization: `Bearer ${apiKey}` })).status).toBe(404);
    await api.call('DELETE', `/api/v2/requests/${request_id}`, { headers: bearer });
    expect((await deleteOutput(request_id)).status).toBe(204);
    await api.startRunner();
  });

  it('returns 204 again and again; files and cache entry are gone, the job stays', async () => {
    const first = await api.removeBg(subject());
    expect(first.status).toBe(200);
    const { request_id, output_url } = first.body;
    expect((await deleteOutput(request_id)).status).toBe(204);
    const { body: job } = await api.status(request_id);
    expect(job).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.01' } });
    expect(job.output).toEqual({ media_url: [], media_type: 'image/png', files: [] });
    expect(job.receipt).toEqual(expect.any(String));
    expect(Date.parse(job.deleted_at)).toBeGreaterThanOrEqual(Date.parse(job.completed_at));
    expect((await deleteOutput(request_id)).status).toBe(204);
    expect((await api.status(request_id)).body.deleted_at).toBe(job.deleted_at);
    expect((await serveResult(api.ctx, new Request(output_url))).status).toBe(410);
    const keys: string[] = [];
    const later = new Date(Date.now() + 60_000);
    for await (const key of api.ctx.storage.list(`outputs/${request_id}/`, later)) keys.push(key);
    expect(keys).toEqual([]);
    expect((await api.removeBg(subject())).body).toMatchObject({ cached: false });
  });

  it('ends the cache entries of a batch, and its items', { tags: ['long'] }, async () => {
    const image_url = `${api.files.url}/photo.png`;
    const { request_id } = (await api.removeBgBatch({ items: [{ image_url }] })).body;
    await api.ended(request_id);
    expect((await deleteOutput(request_id)).status).toBe(204);
    expect((await api.status(request_id)).body.output).toMatchObject({ media_url: [], files: [] });
    expect((await api.removeBg({ image_url })).body).toMatchObject({ cached: false });
  });
});

describe('result_ttl_hours of a request', { timeout: 120_000 }, () => {
  const convert = async (fields: object) => await api.convert({ ...subject(), to_format: 'webp', ...fields });
  const hoursKept = async (id: string) => {
    const { createdAt, expiresAt, role } = schema.files;
    const rows = await api.ctx.db
      .select({ createdAt, expiresAt, role })
      .from(schema.files)
      .where(eq(schema.files.jobId, id));
    const output = rows.find((file) => file.role === 'output');
    return Math.round(((output?.expiresAt.getTime() ?? 0) - (output?.createdAt.getTime() ?? 0)) / 3_600_000);
  };

  it.each([
    [{}, 48],
    [{ result_ttl_hours: 1 }, 1],
    [{ result_ttl_hours: 48 }, 48],
  ])('%j keeps the files for %i hours', async (fields, hours) => {
    const { request_id } = (await convert(fields)).body;
    await api.ended(request_id);
    expect(await hoursKept(request_id)).toBe(hours);
  });

  it('shortens the life of a batch’s files', { tags: ['long'] }, async () => {
    const { request_id } = (await api.removeBgBatch({ items: [subject()], result_ttl_hours: 2 })).body;
    await api.ended(request_id);
    expect(await hoursKept(request_id)).toBe(2);
  });

  it.each([0, 0.5, 49, '2', null])('%j returns 400 that names it', async (result_ttl_hours) => {
    const field = 'result_ttl_hours';
    expect(await convert({ result_ttl_hours })).toMatchObject({ status: 400, body: { field } });
    const batch = await api.removeBgBatch({ items: [subject()], result_ttl_hours });
    expect(batch).toMatchObject({ status: 400, body: { field } });
  });
});
