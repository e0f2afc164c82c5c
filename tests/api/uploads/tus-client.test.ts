import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { respondHttp } from '../../support/service/respond-http.ts';

let api: TestApi;
let server: Server;
let url: string;
let photo: Buffer<ArrayBuffer>;
beforeEach(async () => {
  server = createServer((incoming, outgoing) => {
    respondHttp(api.ctx, incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = await startApi({ PUBLIC_URL: url, RATE_LIMIT_BURST: '1000' });
  photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await api.close();
});

/** Sends a file as the real client does. @returns the URL for its parts */
function send(options: UploadOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(photo, {
      chunkSize: 100,
      retryDelays: null,
      ...options,
      onError: reject,
      onSuccess: () => resolve(upload.url ?? ''),
    });
    upload.start();
  });
}

const list = async () =>
  (await api.call('GET', '/api/uploads', { headers: { authorization: `Bearer ${api.apiKey}` } })).body
    .uploads;

it.each([
  ['', {}],
  [' without PATCH', { overridePatchMethod: true }],
])(
  'tus-js-client creates an upload at its endpoint, by headers alone, and sends it%s',
  async (_name, more) => {
    const partsUrl = await send({
      endpoint: `${url}/api/v2/uploads?expires_in_hours=2`,
      headers: { Authorization: `Bearer ${api.apiKey}` },
      metadata: { filename: 'ötter.png', filetype: 'image/png' },
      ...more,
    });
    const [upload] = await list();
    expect(upload).toMatchObject({
      parts_url: partsUrl,
      name: 'ötter.png',
      bytes: photo.length,
      media_type: 'image/png',
    });
    expect((Date.parse(upload.expires_at) - Date.now()) / 3_600_000).toBeCloseTo(2, 1);
    const { body } = await api.convert({ image_url: upload.upload_url, to_format: 'webp' });
    await api.startRunner();
    expect((await api.ended(body.request_id)).output.files).toMatchObject([{ name: 'ötter.webp' }]);
  },
);

it('tus-js-client sends a file to parts_url, without a key', async () => {
  const { parts_url } = (await api.post('/v2/uploads', { bytes: photo.length })).body;
  await send({ uploadUrl: parts_url });
  expect(await list()).toMatchObject([{ media_type: 'image/png' }]);
});

it.each([
  ['Upload-Length', { 'upload-length': '0' }],
  ['Upload-Length', { 'upload-length': 'x' }],
  ['Upload-Length', { 'upload-defer-length': '1' }],
  ['Upload-Metadata', { 'upload-length': '5', 'upload-metadata': 'filename /w==' }],
  [
    'name',
    {
      'upload-length': '5',
      'upload-metadata': `filename ${Buffer.from('x'.repeat(256)).toString('base64')}`,
    },
  ],
])('POST /v2/uploads returns 400 that names %s for %o', async (field, headers) => {
  const sent = { ...headers, authorization: `Bearer ${api.apiKey}` };
  const { status, body } = await api.call('POST', '/api/v2/uploads', {
    headers: sent as Record<string, string>,
  });
  expect([status, body.field]).toEqual([400, field]);
});
