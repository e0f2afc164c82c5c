import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey, revokeKey } from '../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const post = (headers: Record<string, string>) =>
  api.call('POST', '/api/media-tools/v1/image-convert', {
    body: { image_url: api.imageUrl, to_format: 'webp' },
    headers,
  });

describe('POST /media-tools/v1/image-convert returns 401', () => {
  it.each([
    ['no key', {}],
    ['an empty key', { 'ocp-apim-subscription-key': '' }],
    ['an unknown key', { 'ocp-apim-subscription-key': 'mk_abcdefgh_nothing' }],
    ['another family’s header', { authorization: 'Bearer mk_abcdefgh_nothing' }],
  ])('%s', async (_name, headers) => {
    const response = await post(headers);
    expect(response.status).toBe(401);
    expect(response.body).toEqual(problemBody('Unauthorized'));
  });

  it('an expired key', async () => {
    const { apiKey, keyId } = await issueKey(api.ctx.db, { accountId: api.accountId, name: 'old' });
    const expiresAt = new Date(Date.now() - 1000);
    await api.ctx.db.update(schema.apiKeys).set({ expiresAt }).where(eq(schema.apiKeys.id, keyId));
    expect((await post({ 'ocp-apim-subscription-key': apiKey })).status).toBe(401);
  });

  it('a revoked key at once', async () => {
    const { keyId, apiKey } = await issueKey(api.ctx.db, { accountId: api.accountId, name: 'short' });
    expect((await post({ 'ocp-apim-subscription-key': apiKey })).status).toBe(202);
    await revokeKey(api.ctx.db, { accountId: api.accountId, keyId });
    expect((await post({ 'ocp-apim-subscription-key': apiKey })).status).toBe(401);
  });
});
