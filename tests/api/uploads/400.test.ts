import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { UPLOAD_BYTES_MAX } from '../../../server/io/uploads/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

// A rejected upload leaves no row, no object and no temporary file.
afterEach(async () => {
  expect(await api.ctx.db.$count(schema.uploads)).toBe(0);
  const incoming = await readdir(join(api.ctx.env.DATA_DIR, 'incoming')).catch(() => []);
  const stored = await readdir(join(api.ctx.env.DATA_DIR, 'storage', 'inputs')).catch(() => []);
  expect([...incoming, ...stored]).toEqual([]);
});

const MIB = 1024 * 1024;

/** Endless body, with a count of the bytes requested. */
function endless(): { body: ReadableStream; sentBytes(): number } {
  let sent = 0;
  const body = new ReadableStream({
    async pull(controller) {
      await setTimeout(5);
      sent += MIB;
      controller.enqueue(new Uint8Array(MIB));
    },
  });
  return { body, sentBytes: () => sent };
}

describe('POST /uploads returns 400', () => {
  it.each([
    ['no body', undefined],
    ['an empty body', new Uint8Array()],
  ])('for %s', async (_name, body) => {
    const response = await api.call('POST', '/api/uploads', {
      body,
      headers: { 'ocp-apim-subscription-key': api.apiKey },
    });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(problemBody('Bad Request', expect.stringMatching(/^body: is empty/)));
  });

  it('for a body above the largest input limit, and stops reading there', { tags: ['long'] }, async () => {
    const { body, sentBytes } = endless();
    const response = await api.upload(body);
    expect([response.status, response.body.code]).toEqual([413, 'body_too_large']);
    expect(response.body.message).toBe(`body: must be at most ${UPLOAD_BYTES_MAX} bytes.`);
    expect(sentBytes()).toBeLessThan(UPLOAD_BYTES_MAX + 8 * MIB);
  });

  it('for a Content-Length above that limit, before reading', async () => {
    const { body, sentBytes } = endless();
    const response = await api.upload(body, { 'content-length': String(UPLOAD_BYTES_MAX + 1) });
    expect(response.status).toBe(413);
    expect(response.body.message).toMatch(/^body: must be at most/);
    expect(sentBytes()).toBeLessThan(8 * MIB);
  });

  it.each(['0', '721', 'x', '', '0x10', '1e1', '2.0', ' 2'])(
    'for expires_in_hours=%s, and says what is allowed',
    async (hours) => {
      const query = new URLSearchParams({ expires_in_hours: hours });
      const { status, body } = await api.post(`/uploads?${query}`, Buffer.from('bytes'));
      expect([status, body.message]).toEqual([400, 'expires_in_hours: must be a whole number, 1 to 720.']);
    },
  );

  it.each(['name=', 'size=5'])('for the query %s, and names the field', async (query) => {
    const { status, body } = await api.post(`/uploads?${query}`, Buffer.from('bytes'));
    expect([status, body.field]).toEqual([400, query.split('=')[0]]);
  });

  it('for a form, and explains how to send a file', async () => {
    const response = await api.upload(Buffer.from('--x'), {
      'content-type': 'multipart/form-data; boundary=x',
    });
    expect(response.status).toBe(400);
    expect(response.body.message).toMatch(/^Content-Type: .*the file itself as the body/);
  });
});

describe('POST /uploads whose body breaks off', () => {
  it('returns 499 and leaves nothing behind', async () => {
    const body = ReadableStream.from(
      (async function* () {
        yield new Uint8Array(MIB);
        throw new Error('the client has left');
      })(),
    );
    expect((await api.upload(body)).status).toBe(499);
  });
});
