import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const bytes = Buffer.from('the bytes of a file');

describe('POST /uploads returns 201', () => {
  it('with exactly upload_url, bytes and expires_at', async () => {
    const { status, body } = await api.upload(bytes);
    expect(status).toBe(201);
    expect(body).toEqual({
      upload_url: expect.stringMatching(/^http:\/\/localhost:3000\/api\/uploads\/[\w-]{22}$/),
      bytes: bytes.length,
      expires_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    const minutesLeft = (Date.parse(body.expires_at) - Date.now()) / 60_000;
    expect(minutesLeft).toBeGreaterThan(55);
    expect(minutesLeft).toBeLessThanOrEqual(60);
  });

  it('with the whole file in storage, and no temporary file left', async () => {
    const { body } = await api.upload(bytes);
    const token = body.upload_url.split('/').at(-1);
    const { stream } = await api.ctx.storage.get(`inputs/uploads/${token}/input`);
    expect(await buffer(stream)).toEqual(bytes);
    const [row] = await api.ctx.db.select().from(schema.uploads).where(eq(schema.uploads.token, token));
    expect(row?.sha256).toEqual(createHash('sha256').update(bytes).digest());
    expect(await readdir(join(api.ctx.env.DATA_DIR, 'incoming'))).toEqual([]);
  });

  it('for a chunked body without a Content-Length', async () => {
    const pieces = ['one', 'two', 'three'].map((text) => Buffer.from(text));
    const { status, body } = await api.upload(ReadableStream.from(pieces));
    expect(status).toBe(201);
    expect(body.bytes).toBe(11);
  });

  it('for a key in the header of either API family, with its rate limit in the headers', async () => {
    const { status, headers } = await api.call('POST', '/api/uploads', {
      body: bytes,
      headers: { 'content-type': 'image/png', authorization: `Bearer ${api.apiKey}` },
    });
    expect(status).toBe(201);
    expect(headers.get('ratelimit-limit')).toBe('40');
  });
});
