import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { type ClientRequest, createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { deleteExpiredUploads, receivePart, UPLOAD_BYTES_MAX } from '../../../server/io/uploads/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';
import { respondHttp } from '../../support/service/respond-http.ts';

let api: TestApi;
let photo: Buffer<ArrayBuffer>;
let logLines: string[];
beforeEach(async () => {
  logLines = [];
  api = await startApi({ LOG_LEVEL: 'debug' }, '1', undefined, logLines);
  photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
});
afterEach(() => api.close());

const PART = { 'content-type': 'application/offset+octet-stream' };
const start = (bytes: unknown, more: object = {}) => api.post('/v2/uploads', { bytes, ...more });
const getPath = (url: string) => new URL(url).pathname;
const send = (url: string, offset: number | string, body: Uint8Array<ArrayBuffer>, headers = {}) =>
  api.call('PATCH', getPath(url), {
    body: Buffer.from(body),
    headers: { ...PART, 'upload-offset': String(offset), ...headers },
  });
const getOffset = async (url: string) =>
  Number((await api.call('HEAD', getPath(url))).headers.get('upload-offset'));
const stored = async () =>
  (await readdir(join(api.ctx.env.DATA_DIR, 'storage'), { recursive: true })).filter((name) =>
    /(part-|input$)/.test(name),
  );
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

describe('POST /v2/uploads', () => {
  it('returns 201 with the URLs of the parts and of the file, as OpenAPI says', async () => {
    const response = await start(1000);
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      upload_id: expect.stringMatching(/^[\w-]{22}$/),
      parts_url: expect.stringMatching(/^http:\/\/localhost:3000\/api\/v2\/uploads\/[\w-]{22}\.[\w-]{43}$/),
      upload_url: expect.stringMatching(/^http:\/\/localhost:3000\/api\/uploads\/[\w-]{22}$/),
      bytes: 1000,
      expires_at: expect.any(String),
    });
    expect(response.headers.get('location')).toBe(response.body.parts_url);
    expect((await createConformanceCheck(api))('POST', '/v2/uploads', response)).toEqual([]);
  });

  it.each([0, -1, 1.5, '5', null, UPLOAD_BYTES_MAX + 1])(
    'returns 400 that names bytes for %s, and keeps no room',
    async (bytes) => {
      const { status, body } = await start(bytes);
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^bytes: must be /)]);
      expect(await api.ctx.db.$count(schema.uploads)).toBe(0);
    },
  );

  it('returns 400 for a field that does not exist', async () => {
    const { status, body } = await start(5, { size: 5 });
    expect([status, body.message]).toEqual([400, expect.stringContaining('size')]);
  });

  it('returns 401 without a key', async () => {
    expect((await api.call('POST', '/api/v2/uploads', { body: { bytes: 5 } })).status).toBe(401);
  });

  it('returns 429 once the whole lengths of unfinished uploads fill the bound of the account', async () => {
    const bytes = UPLOAD_BYTES_MAX;
    const statuses = await Promise.all(Array.from({ length: 22 }, async () => (await start(bytes)).status));
    expect(statuses.toSorted()).toEqual([...Array(20).fill(201), 429, 429]);
  });
});

describe('PATCH /v2/uploads/{token}', () => {
  it('returns 204 for each part, and the file becomes the input of a job', async () => {
    const { parts_url, upload_url } = (await start(photo.length)).body;
    const half = Math.floor(photo.length / 2);
    const first = await send(parts_url, 0, photo.subarray(0, half));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(half)]);
    const early = await api.convert({ image_url: upload_url, to_format: 'webp' });
    expect([early.status, early.body.message]).toEqual([
      400,
      `image_url: this upload is not complete: ${half} of ${photo.length} bytes have arrived. Send the others first.`,
    ]);
    const last = await send(parts_url, half, photo.subarray(half));
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, String(photo.length)]);
    const [row] = await api.ctx.db.select().from(schema.uploads);
    expect(row).toMatchObject({ bytes: photo.length, receivedBytes: null, parts: [] });
    expect(row?.sha256).toEqual(sha256(photo));
    expect(await stored()).toEqual([expect.stringMatching(/input$/)]);
    const { status } = await api.convert({ image_url: upload_url, to_format: 'webp' });
    expect(status).toBe(202);
    expect(await getOffset(parts_url)).toBe(photo.length);
    const headers = { 'ocp-apim-subscription-key': api.apiKey };
    const [upload] = (await api.call('GET', '/api/uploads', { headers })).body.uploads;
    expect(upload).toMatchObject({ sha256: sha256(photo).toString('hex'), media_type: 'image/png' });
  });

  it('needs no key, and another account cannot use the file', async () => {
    const { parts_url, upload_url } = (await start(photo.length)).body;
    await send(parts_url, 0, photo);
    const other = await openAccount(api.ctx.db, 'other@example.com');
    const { apiKey } = await issueKey(api.ctx.db, { accountId: other.accountId, name: 'x' });
    const { status } = await api.convert(
      { image_url: upload_url, to_format: 'webp' },
      { 'ocp-apim-subscription-key': apiKey },
    );
    expect([400, 402]).toContain(status);
    expect(await getOffset(parts_url)).toBe(photo.length);
  });

  it('returns 409 with the offset for a part that does not begin where the last one ended', async () => {
    const { parts_url } = (await start(10)).body;
    await send(parts_url, 0, Buffer.from('abc'));
    for (const offset of [0, 2, 4, 10]) {
      const { status, body } = await send(parts_url, offset, Buffer.from('d'));
      expect([status, body.message]).toEqual([409, expect.stringMatching(/^Upload-Offset: is 3\./)]);
    }
    expect(await getOffset(parts_url)).toBe(3);
  });

  it.each([
    ['Content-Type', { 'content-type': 'image/png' }],
    ['Upload-Offset', { 'upload-offset': 'x' }],
    ['Upload-Offset', { 'upload-offset': '-1' }],
    ['Upload-Offset', { 'upload-offset': '' }],
  ])('returns 400 that names %s for %o', async (name, headers) => {
    const { parts_url } = (await start(10)).body;
    const { status, body } = await send(parts_url, 0, Buffer.from('abc'), headers);
    expect([status, body.message]).toEqual([400, expect.stringMatching(new RegExp(`^${name}:`))]);
  });

  it('returns 400 for bytes beyond the end, and stores none of them', async () => {
    const { parts_url } = (await start(4)).body;
    const { status, body } = await send(parts_url, 0, Buffer.from('abcde'));
    expect([status, body.message]).toEqual([400, 'body: goes beyond the 4 bytes of the file.']);
    expect([await getOffset(parts_url), await stored()]).toEqual([0, []]);
  });

  it('returns 404 for an unknown and for an expired upload', async () => {
    const { parts_url } = (await start(4)).body;
    await api.ctx.db.update(schema.uploads).set({ expiresAt: new Date(0) });
    for (const url of [parts_url, `${parts_url.slice(0, -1)}_`]) {
      expect((await send(url, 0, Buffer.from('ab'))).status).toBe(404);
      expect((await api.call('HEAD', getPath(url))).status).toBe(404);
      expect((await api.call('DELETE', getPath(url))).status).toBe(404);
    }
  });

  it('returns 404 without the signature, so that the URL of the file is not enough', async () => {
    const { parts_url, upload_url } = (await start(4)).body;
    const unsigned = upload_url.replace('/api/', '/api/v2/');
    const other = (await start(4)).body.parts_url.split('.').at(-1);
    for (const url of [unsigned, `${unsigned}.`, `${unsigned}.${other}`]) {
      expect((await send(url, 0, Buffer.from('ab'))).status).toBe(404);
      expect((await api.call('DELETE', getPath(url))).status).toBe(404);
    }
    expect(await getOffset(parts_url)).toBe(0);
  });

  it('takes one of several concurrent parts at the same offset', async () => {
    const { parts_url } = (await start(3000)).body;
    const parts = Array.from({ length: 5 }, () => randomBytes(1000));
    const responses = await Promise.all(parts.map((part) => send(parts_url, 0, part)));
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(4);
    expect([await getOffset(parts_url), (await stored()).length]).toEqual([1000, 1]);
  });

  it('returns 409 for a part that arrived while another process took its place, and stores none of it', async () => {
    const { parts_url, upload_url } = (await start(10)).body;
    const token = upload_url.split('/').at(-1);
    async function* body() {
      yield Buffer.from('abc');
      await api.ctx.db.update(schema.uploads).set({ receivedBytes: 5 });
    }
    const part = { offset: 0, body: body(), stop() {} };
    await expect(receivePart(api.ctx, token, part)).rejects.toThrow('is another one by now');
    expect([await getOffset(parts_url), await stored()]).toEqual([5, []]);
  });

  it('completes a file whose process died before it joined the parts', async () => {
    const { parts_url, upload_url } = (await start(photo.length)).body;
    await send(parts_url, 0, photo.subarray(0, 10));
    const [row] = await api.ctx.db.select().from(schema.uploads);
    await send(parts_url, 10, photo.subarray(10, -1));
    // As if the last byte had been recorded, and nothing after it.
    const key = `inputs/uploads/${row?.token}/part-last`;
    const path = join(api.ctx.env.DATA_DIR, 'last');
    await writeFile(path, photo.subarray(-1));
    await api.ctx.storage.putFile(key, path, 'application/octet-stream');
    const [before] = await api.ctx.db.select().from(schema.uploads);
    await api.ctx.db
      .update(schema.uploads)
      .set({ receivedBytes: photo.length, parts: [...(before?.parts ?? []), key] })
      .where(eq(schema.uploads.token, row?.token ?? ''));
    const states = await Promise.all([1, 2, 3].map(() => getOffset(parts_url)));
    expect(states).toEqual([photo.length, photo.length, photo.length]);
    const { status, body } = await api.convert({ image_url: upload_url, to_format: 'webp' });
    expect([status, body.message]).toEqual([202, undefined]);
  });
});

describe('a broken connection', () => {
  let server: Server;
  let connection: Socket | undefined;
  beforeEach(async () => {
    connection = undefined;
    server = createServer((incoming, outgoing) => {
      respondHttp(api.ctx, incoming, outgoing).catch(() => outgoing.destroy());
    }).listen(0, '127.0.0.1');
    server.once('connection', (socket) => {
      connection = socket;
    });
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Begins a request for a whole file, whose bytes the test writes. */
  function openPatch(url: string, bytes: number): ClientRequest {
    const { port } = server.address() as AddressInfo;
    const headers = { ...PART, 'upload-offset': '0', 'content-length': String(bytes) };
    const options = { port, host: '127.0.0.1', method: 'PATCH', path: getPath(url), headers };
    return httpRequest(options).on('error', () => {});
  }

  it('keeps what has arrived, and the rest completes the file', async () => {
    const file = randomBytes(2_000_000);
    const { parts_url } = (await start(file.length)).body;
    const broken = openPatch(parts_url, file.length);
    broken.write(file.subarray(0, 700_000));
    // More than the buffers hold: the service is reading.
    await expect.poll(() => connection?.bytesRead).toBeGreaterThan(500_000);
    broken.destroy();
    await expect.poll(() => getOffset(parts_url)).toBeGreaterThan(0);
    const offset = await getOffset(parts_url);
    expect(offset).toBeLessThanOrEqual(700_000);
    const { status } = await send(parts_url, offset, file.subarray(offset));
    expect(status).toBe(204);
    const [row] = await api.ctx.db.select().from(schema.uploads);
    expect(row?.sha256).toEqual(sha256(file));
  });

  it('that hangs is given up for the next request, and its bytes count', async () => {
    const file = randomBytes(500_000);
    const { parts_url } = (await start(file.length)).body;
    const hanging = openPatch(parts_url, file.length);
    hanging.write(file.subarray(0, 300_000));
    await expect.poll(() => connection?.bytesRead).toBeGreaterThan(300_000);
    const offset = await getOffset(parts_url);
    expect(offset).toBeGreaterThan(0);
    expect((await send(parts_url, offset, file.subarray(offset))).status).toBe(204);
    hanging.destroy();
    const [row] = await api.ctx.db.select().from(schema.uploads);
    expect(row?.sha256).toEqual(sha256(file));
  });
});

describe('DELETE /v2/uploads/{token}', () => {
  it('returns 204, and leaves nothing', async () => {
    const { parts_url } = (await start(10)).body;
    await send(parts_url, 0, Buffer.from('abc'));
    expect((await api.call('DELETE', getPath(parts_url))).status).toBe(204);
    expect(await stored()).toEqual([]);
    expect((await api.call('DELETE', getPath(parts_url))).status).toBe(404);
  });
});

it('the signature of parts_url is in no line of the log', async () => {
  const { parts_url } = (await start(10)).body;
  await send(parts_url, 0, Buffer.from('abc'));
  await getOffset(parts_url);
  await api.call('PUT', getPath(parts_url));
  await api.call('GET', `${getPath(parts_url)}/more`);
  const signature = getPath(parts_url).split('.')[1] as string;
  const requests = logLines.filter((line) => line.includes('"path":"/v2/uploads/[redacted]"'));
  expect(new Set(requests.map((line) => JSON.parse(line).method))).toEqual(
    new Set(['PATCH', 'HEAD', 'PUT', 'GET']),
  );
  expect(logLines.filter((line) => line.includes(signature))).toEqual([]);
});

it('the parts of an upload that expires are deleted', async () => {
  const { parts_url } = (await start(10)).body;
  await send(parts_url, 0, Buffer.from('abc'));
  await api.ctx.db.update(schema.uploads).set({ expiresAt: new Date(0) });
  expect(await deleteExpiredUploads(api.ctx)).toBe(1);
  expect(await stored()).toEqual([]);
});
