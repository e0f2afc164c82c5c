import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { startApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

it('POST /media-tools/v1/image-convert returns 403 to a key without the operation', async () => {
  const api = await startApi();
  try {
    const { apiKey, keyId } = await issueKey(api.ctx.db, { accountId: api.accountId, name: 'other' });
    // A key made for operations that no longer exist.
    await api.ctx.db.update(schema.apiKeys).set({ operations: [] }).where(eq(schema.apiKeys.id, keyId));
    const response = await api.convert(
      { image_url: api.imageUrl, to_format: 'webp' },
      { 'ocp-apim-subscription-key': apiKey },
    );
    expect(response.status).toBe(403);
    expect(response.body).toEqual(problemBody('Forbidden', expect.stringMatching(/media-convert-image/)));
    expect(await api.ctx.db.select().from(schema.jobs)).toEqual([]);
  } finally {
    await api.close();
  }
});
