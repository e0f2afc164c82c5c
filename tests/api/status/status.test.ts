import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobViewSchema } from '../../../server/api/job-view-schema.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
let id: string;
beforeAll(async () => {
  api = await startApi();
  id = (await api.convert({ image_url: api.imageUrl, to_format: 'webp' })).body.request_id;
});
afterAll(() => api.close());

const status = (requestId: string, headers: Record<string, string>) =>
  api.call('GET', `/api/v2/requests/status/${requestId}`, { headers });

describe('GET /v2/requests/status/{request_id} returns 200', () => {
  it.each([
    ['Ocp-Apim-Subscription-Key', () => ({ 'ocp-apim-subscription-key': api.apiKey })],
    ['Authorization: Bearer', () => ({ authorization: `Bearer ${api.apiKey}` })],
  ])('with every field of the job, by %s', async (_name, headers) => {
    const response = await status(id, headers());
    expect(response.status).toBe(200);
    expect(jobViewSchema.strict().parse(response.body)).toEqual(response.body);
    expect(response.body).toMatchObject({
      request_id: id,
      status: 'QUEUED',
      model_id: 'media-convert-image',
      error: null,
      output: null,
      completed_at: null,
      billing: { held_usd: '0.002', charged_usd: '0.00' },
    });
  });
});

describe('GET /v2/requests/status/{request_id} returns 404', () => {
  it('for an unknown id', async () => {
    const response = await status('media-convert-image_0', { 'ocp-apim-subscription-key': api.apiKey });
    expect(response.status).toBe(404);
    expect(response.body).toEqual(problemBody('Not Found'));
  });

  it('for a job of another account', async () => {
    const { accountId } = await openAccount(api.ctx.db, 'other@example.com');
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
    expect((await status(id, { 'ocp-apim-subscription-key': apiKey })).status).toBe(404);
  });
});

it('GET /v2/requests/status/{request_id} returns 401 without a key', async () => {
  expect((await status(id, {})).status).toBe(401);
});
