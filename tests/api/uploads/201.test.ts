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
const hoursLeft = (body: { expires_at: string }) => (Date.parse(body.expires_at) - Date.now()) / 3_600_000;

describe('POST /uploads returns 201', () => {
  it('with its URLs, size, hash, type and expiry', async () => {
    const { status, body } = await api.upload(bytes);
    expect(status).toBe(201);
    expect(body).toEqual({
      upload_id: expect.stringMatching(/^[\w-]{22}$/),
      upload_url: `http://localhost:3000/api/uploads/${body.upload_id}`,
      parts_url: expect.stringMatching(/^http:\/\/localhost:3000\/api\/v2\/uploads\/[\w-]{22}\.[\w-]{43}$/),
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      media_type: 'application/octet-stream',
      expires_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect(hoursLeft(body)).toBeCloseTo(24, 1);
  });

  it('with the media type by the bytes, the name and the lifetime of the query', async () => {
    const photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
    const path = '/uploads?name=%C3%B6tter.jpg&expires_in_hours=720';
    const { status, body } = await api.post(path, photo, { 'content-type': 'text/plain' });
    expect([status, body]).toMatchObject([201, { name: 'ötter.jpg', media_type: 'image/png' }]);
    expect(hoursLeft(body)).toBeCloseTo(720, 1);
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
