import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { desc } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { respondHttp } from '../../support/service/respond-http.ts';

let api: TestApi;
let server: Server;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  server = createServer((incoming, outgoing) => {
    respondHttp(api.ctx, incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await api.close();
});

const getBody = (more = {}) => JSON.stringify({ image_url: api.imageUrl, to_format: 'webp', ...more });
const convert = (body: Uint8Array, headers = {}) => api.convert(body, headers);
const GZIP = { 'content-encoding': 'gzip' };

describe('the text of a request', () => {
  it('is UTF-8, or the request a 400', async () => {
    const latin1 = Buffer.from(getBody({ reference: 'Köln' }), 'latin1');
    const { status, body } = await convert(latin1);
    expect([status, body.message]).toEqual([400, 'body: must be UTF-8.']);
  });

  it('may begin with a byte order mark', async () => {
    const { status } = await convert(Buffer.from(`\ufeff${getBody({ reference: 'Köln' })}`));
    expect(status).toBe(202);
  });
});

describe('Content-Encoding', () => {
  it('gzip is decoded, of JSON and of a whole file', async () => {
    expect((await convert(gzipSync(getBody()), GZIP)).status).toBe(202);
    const photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
    const { status, body } = await api.upload(gzipSync(photo), GZIP);
    expect([status, body.bytes, body.media_type]).toEqual([201, photo.length, 'image/png']);
  });

  it.each([
    ['no gzip', Buffer.from(getBodyText())],
    ['a torn one', gzipSync(getBodyText()).subarray(0, -9)],
    ['empty ones without end', Buffer.concat(Array(60_000).fill(gzipSync('')))],
  ])('gzip whose body is %s is a 400', async (_name, bytes) => {
    const { status, body } = await convert(bytes, GZIP);
    expect([status, body.field]).toEqual([400, 'Content-Encoding']);
  });

  it('gzip beyond the limit of the decoded body is a 413', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, ' '));
    expect(await convert(bomb, GZIP)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });

  it.each(['zstd', 'br', 'gzip, gzip'])('%s is a 415', async (coding) => {
    const headers = { 'content-encoding': coding };
    const expected = { status: 415, body: { code: 'unsupported_encoding', field: 'Content-Encoding' } };
    expect(await convert(Buffer.from('zzzz'), headers)).toMatchObject(expected);
    expect(await api.upload(Buffer.from('zzzz'), headers)).toMatchObject(expected);
  });

  it('of a part of an upload is a 415', async () => {
    const { parts_url } = (await api.post('/v2/uploads', { bytes: 10 })).body;
    const { status, body } = await api.call('PATCH', new URL(parts_url).pathname, {
      body: gzipSync('0123456789'),
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0', ...GZIP },
    });
    expect([status, body.code]).toEqual([415, 'unsupported_encoding']);
  });
});

function getBodyText(): string {
  return '{"image_url":"http://127.0.0.1/a.png","to_format":"webp"}';
}

it('a URL with spaces and letters is percent-encoded', async () => {
  const asked: string[] = [];
  const photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
  const source = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(photo);
  }).listen(0, '127.0.0.1');
  await once(source, 'listening');
  const { port } = source.address() as AddressInfo;
  try {
    const image_url = `http://127.0.0.1:${port}/a größe.png`;
    const { status, body } = await api.convert({ image_url, to_format: 'webp' });
    expect([status, body.message]).toEqual([202, undefined]);
    expect(asked).toEqual(['/a%20gr%C3%B6%C3%9Fe.png']);
  } finally {
    source.close();
  }
});

/** Sends a head with its bytes as they are. @returns the status line */
async function sendRaw(webhookUrl: Buffer): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const body = Buffer.from(getBody());
  const head = `POST /api/media-tools/v1/image-convert HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nOcp-Apim-Subscription-Key: ${api.apiKey}\r\nX-Webhook-URL: `;
  const socket = connect(port, '127.0.0.1');
  socket.write(Buffer.concat([Buffer.from(head), webhookUrl, Buffer.from('\r\n\r\n'), body]));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString().split('\r\n')[0] ?? '';
}

it('X-Webhook-URL is read as UTF-8, and called percent-encoded', async () => {
  expect(await sendRaw(Buffer.from('http://127.0.0.1:9/hook/größe'))).toMatch(/ 202 /);
  const [job] = await api.ctx.db.select().from(schema.jobs).orderBy(desc(schema.jobs.createdAt)).limit(1);
  expect(job?.webhookUrl).toBe('http://127.0.0.1:9/hook/gr%C3%B6%C3%9Fe');
  expect(await sendRaw(Buffer.from('http://127.0.0.1:9/hook/größe', 'latin1'))).toMatch(/ 400 /);
});

it('POST with X-HTTP-Method-Override: PATCH is a PATCH, for programs that cannot send one', async () => {
  const { parts_url } = (await api.post('/v2/uploads', { bytes: 10 })).body;
  const send = (override: string) =>
    api.call('POST', new URL(parts_url).pathname, {
      body: Buffer.from('0123456789'),
      headers: {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
        'x-http-method-override': override,
      },
    });
  expect((await send('DELETE')).status).toBe(405);
  const { status, headers } = await send('PATCH');
  expect([status, headers.get('upload-offset')]).toEqual([204, '10']);
  const override = { 'x-http-method-override': 'PATCH' };
  expect((await api.post('/v2/quotes', {}, override)).status).toBe(405);
});
