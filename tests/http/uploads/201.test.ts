import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/db.ts';
import { startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const bytes = Buffer.from('the bytes of a file');

describe('POST /uploads answers 201', () => {
  it('with where the upload is, its size and the end of its time, and nothing else', async () => {
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

  it('with the file in storage, whole, and nothing left on its way there', async () => {
    const { body } = await api.upload(bytes);
    const token = body.upload_url.split('/').at(-1);
    const { stream } = await api.ctx.storage.get(`inputs/uploads/${token}/input`);
    expect(await buffer(stream)).toEqual(bytes);
    const [row] = await api.ctx.db.select().from(schema.uploads).where(eq(schema.uploads.token, token));
    expect(row?.sha256).toEqual(createHash('sha256').update(bytes).digest());
    expect(await readdir(join(api.ctx.env.DATA_DIR, 'incoming'))).toEqual([]);
  });

  it('without a Content-Length, in pieces', async () => {
    const pieces = ['one', 'two', 'three'].map((text) => Buffer.from(text));
    const { status, body } = await api.upload(ReadableStream.from(pieces));
    expect(status).toBe(201);
    expect(body.bytes).toBe(11);
  });

  it('to the key of either family, with the limits of the key in the headers', async () => {
    const { status, headers } = await api.call('POST', '/api/uploads', {
      body: bytes,
      headers: { 'content-type': 'image/png', authorization: `Bearer ${api.apiKey}` },
    });
    expect(status).toBe(201);
    expect(headers.get('ratelimit-limit')).toBe('40');
  });
});
