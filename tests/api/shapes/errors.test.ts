import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS } from '../../../models/core/operation/error-table.ts';
import { openApiDocument } from '../../../server/api/openapi-document.ts';
import { createResultsListener } from '../../../server/api/results-listener.ts';
import { schema } from '../../../server/base/database/db.ts';
import { claimJob, failJob } from '../../../server/jobs/index.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/service/api.ts';
import { startTestHttpServer } from '../../support/service/http-server.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ FETCH_ALLOW_NETWORKS: '127.0.0.1/32' });
});
afterAll(() => api.close());

const image = () => ({ image_url: api.imageUrl });
const convert = (body: object, headers?: Record<string, string>) =>
  api.post('/media-tools/v1/image-convert', { ...image(), to_format: 'webp', ...body }, headers);

describe('the body of an error has a code, the field and the request_id', () => {
  const rows: readonly [string, () => Promise<ApiResponse>, string, string | undefined][] = [
    ['a value out of range', () => convert({ quality: 500 }), 'bad_request', 'quality'],
    ['an unknown field', () => convert({ colour: 'red' }), 'bad_request', 'colour'],
    ['a missing field', () => api.post('/v1/upscale', {}), 'bad_request', 'image_url'],
    [
      'two inputs',
      () => api.post('/v1/remove-bg', { ...image(), image_b64: 'AA==' }),
      'bad_request',
      'image_b64',
    ],
    ['text with NUL', () => convert({ list: ['a', 'b\0'] }), 'bad_request', 'list[1]'],
    [
      'an unknown model',
      () => api.post('/v1/upscale', { ...image(), model: 'x' }),
      'model_not_found',
      'model',
    ],
    [
      'a URL that is not found',
      () => convert({ image_url: `${api.files.url}/no` }),
      'unfetchable',
      'image_url',
    ],
    [
      'a text as image',
      () => convert({ image_url: `${api.files.url}/note.txt` }),
      'unsupported',
      'image_url',
    ],
    ['a webhook', () => convert({}, { 'x-webhook-url': 'ftp://a' }), 'bad_request', 'X-Webhook-URL'],
    [
      'a long key of idempotency',
      () => convert({}, { 'idempotency-key': 'k'.repeat(300) }),
      'bad_request',
      'Idempotency-Key',
    ],
    ['no key', () => api.call('GET', '/api/v2/wallet'), 'unauthorized', 'Ocp-Apim-Subscription-Key'],
    [
      'an unknown job',
      () => api.call('GET', '/api/v2/requests/status/a_1', { headers: bearer() }),
      'not_found',
      'request_id',
    ],
    ['an unknown path', () => api.call('GET', '/api/nothing'), 'not_found', undefined],
    ['another method', () => api.call('PUT', '/api/v2/wallet'), 'method_not_allowed', undefined],
    [
      'a body that is too large',
      () => api.post('/audio-tools/v1/diarize', { x: 'x'.repeat(1_000_001) }),
      'body_too_large',
      undefined,
    ],
  ];
  it.each(rows)('%s', async (_name, ask, code, field) => {
    const { status, headers, body } = await ask();
    expect(body).toMatchObject({ code, request_id: headers.get('x-request-id') });
    expect(body.field).toBe(field);
    expect(headers.get('error-code')).toBe(code);
    const entry = ERRORS[code as keyof typeof ERRORS];
    expect([status, body.error]).toEqual([entry.status, entry.title]);
  });

  it('in a replay, as in the first response, but for the id of the request', async () => {
    const ask = () => convert({ quality: 500 }, { 'idempotency-key': 'replayed' });
    const [first, second] = [await ask(), await ask()];
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const request_id = second.headers.get('x-request-id');
    expect(request_id).not.toBe(first.headers.get('x-request-id'));
    expect(second.body).toEqual({ ...first.body, request_id });
    expect(second.body).toMatchObject({ code: 'bad_request', field: 'quality' });
    expect(second.headers.get('error-code')).toBe('bad_request');
  });

  it('with the id of the job that it is about', async () => {
    const { body: job } = await convert({});
    const cancel = () => api.call('DELETE', `/api/v2/requests/${job.request_id}`, { headers: bearer() });
    expect((await cancel()).status).toBe(200);
    expect((await cancel()).body).toMatchObject({ code: 'conflict', request_id: job.request_id });
  });

  it('of a file that is not served', async () => {
    const server = await startTestHttpServer(createResultsListener(api.ctx));
    const { port } = server.server.address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}/cdn/nothing?expires=1`);
    const body = await response.json();
    expect(body).toMatchObject({ code: 'forbidden', request_id: response.headers.get('x-request-id') });
    await server.stop();
  });

  it('of a request that is not HTTP', async () => {
    const server = await startTestHttpServer(() => {});
    const client = await server.connect();
    client.end('NOTHING\r\n\r\n');
    let text = '';
    for await (const chunk of client) text += chunk;
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      code: 'bad_request',
      request_id: /x-request-id: (\S+)/.exec(text)?.[1],
    });
    await server.stop();
  });
});

describe('a job that ended without a result', () => {
  const submit = async () => {
    const { body } = await convert({}, { 'x-webhook-url': 'http://127.0.0.1:9/hook' });
    const attempt = await claimJob(api.ctx.db, body.request_id);
    if (!attempt) throw new Error('the job has ended');
    return attempt;
  };

  it('has code and field, and so has its webhook', async () => {
    const attempt = await submit();
    const message = 'to_format: the image is too large.';
    const failure = { status: 'FAILED' as const, message, code: 'bad_request' as const, field: 'to_format' };
    await failJob(api.ctx, attempt, failure);
    const expected = { status: 'FAILED', code: 'bad_request', field: 'to_format', request_id: attempt.id };
    expect((await api.status(attempt.id)).body).toMatchObject(expected);
    const deliveries = await api.ctx.db.select().from(schema.deliveries);
    const sent = deliveries.find(({ reference }) => reference === attempt.id);
    expect(JSON.parse(sent?.body ?? '{}')).toMatchObject(expected);
  });

  it.each([
    ['FAILED', 'unprocessable'],
    ['ERROR', 'internal'],
  ] as const)('has a code even where none is set: %s', async (status, code) => {
    const attempt = await submit();
    await failJob(api.ctx, attempt, { status, message: 'Something.' });
    expect((await api.status(attempt.id)).body).toMatchObject({ status, code, field: null });
  });
});

it('is documented with every code of the table', () => {
  const { components } = openApiDocument('https://darkroom.test', api.ctx.operations ?? {}) as {
    components: { schemas: Record<string, { enum: string[]; required: string[] }> };
  };
  expect(components.schemas.ErrorCode?.enum).toEqual(ERROR_CODES);
  expect(components.schemas.Problem?.required).toEqual(['error', 'message', 'code', 'request_id']);
});

function bearer() {
  return { authorization: `Bearer ${api.apiKey}` };
}
