import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../../models/registry.ts';
import { openApiDocument } from '../../../server/api/openapi-document.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { audioFixture } from '../../support/media/audio.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';

interface Asked {
  /** Follows the path, or takes the place of its parameter; the name of a job below stands for its id. */
  readonly rest?: string;
  readonly body?: unknown;
  /** `limited` to diarization, `poor` without money. */
  readonly key?: 'own' | 'limited' | 'poor' | 'none';
  readonly headers?: Record<string, string>;
}
/** A route as documented, the status, and what to ask for. */
type Row = readonly [route: string, status: number, asked?: Asked | (() => Promise<Asked>)];

let api: TestApi;
let getFaults: Awaited<ReturnType<typeof createConformanceCheck>>;
let keys: Readonly<Record<string, string>>;
let jobs: Readonly<Record<string, string>>;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' }, '20');
  getFaults = await createConformanceCheck(api);
  const { accountId } = await openAccount(api.ctx.db, 'poor@example.com');
  const limited = { accountId: api.accountId, name: 'limited', operations: ['audio-diarize'] };
  keys = {
    own: api.apiKey,
    limited: (await issueKey(api.ctx.db, limited)).apiKey,
    poor: (await issueKey(api.ctx.db, { accountId, name: 'poor' })).apiKey,
  };
  const convert = async () => (await api.convert({ ...image(), to_format: 'webp' })).body.request_id;
  await api.startRunner();
  jobs = { ended: await convert() };
  await api.ended(jobs.ended ?? '');
});
afterAll(() => api.close());

const image = () => ({ image_url: api.imageUrl });
const subject = () => ({ image_url: `${api.files.url}/subject.png` });
const sound = async () => ({
  audio_url: (await api.upload(new Uint8Array(await (await audioFixture('vorbis.ogg')).arrayBuffer()))).body
    .upload_url,
});

async function ask(route: string, { rest = '', body, key = 'own', headers }: Asked): Promise<ApiResponse> {
  const [method = '', path = ''] = route.split(' ');
  const named = jobs[rest] ?? rest;
  const filled = path.includes('{') ? path.replace(/\{\w+\}/, named) : path + named;
  const apiKey = keys[key];
  return await api.call(method.toUpperCase(), `/api${filled}`, {
    ...(body !== undefined && { body }),
    headers: {
      ...(apiKey && { authorization: `Bearer ${apiKey}`, 'ocp-apim-subscription-key': apiKey }),
      ...headers,
    },
  });
}

const RECIPE = { steps: [{ id: 'shop', operation: 'convert', params: { to_format: 'webp' } }] };
const AT_ONCE = { prefer: 'respond-async' };
const RESULTS: readonly Row[] = [
  ['post /media-tools/v1/image-convert', 202, async () => ({ body: { ...image(), to_format: 'webp' } })],
  ['post /v1/remove-bg', 202, async () => ({ body: image(), headers: AT_ONCE })],
  ['post /v1/remove-bg', 200, async () => ({ body: subject() })],
  ['post /v1/remove-bg/batch', 202, async () => ({ body: { items: [image()] } })],
  [
    'post /content-safety/v1/image-moderation',
    200,
    async () => ({ body: { ...subject(), categories: ['Sexual'] } }),
  ],
  ['post /image-outpaint/v1/image-outpaint-request', 202, async () => ({ body: image() })],
  [
    'post /image-outpaint/v1/image-outpaint-request',
    200,
    async () => ({ body: { ...image(), sync_mode: true } }),
  ],
  ['post /v1/upscale', 202, async () => ({ body: image(), headers: AT_ONCE })],
  ['post /v1/upscale', 200, async () => ({ body: image() })],
  ['post /audio-tools/v1/diarize', 202, async () => ({ body: await sound() })],
  ['post /audio-tools/v1/separate-stems', 202, async () => ({ body: await sound() })],
  ['post /v2/pipelines', 202, async () => ({ body: { ...image(), ...RECIPE } })],
  ['post /v2/pipelines/batch', 202, async () => ({ body: { items: [image()], ...RECIPE } })],
];

const ACCOUNT: readonly Row[] = [
  ['get /v2/requests', 200],
  ['get /v2/requests', 400, { rest: '?limit=0' }],
  ['get /v2/requests', 401, { key: 'none' }],
  ['get /v2/requests/status/{request_id}', 200, { rest: 'ended' }],
  ['get /v2/requests/status/{request_id}', 404, { rest: 'upscale_0' }],
  ['get /v2/requests/status/{request_id}/events', 401, { rest: 'ended', key: 'none' }],
  ['get /v2/requests/status/{request_id}/events', 404, { rest: 'upscale_0' }],
  ['delete /v2/requests/{request_id}', 404, { rest: 'upscale_0' }],
  ['delete /v2/requests/{request_id}', 409, { rest: 'ended' }],
  ['delete /v2/requests/{request_id}/output', 404, { rest: 'upscale_0' }],
  ['post /v2/uploads', 201, { body: { bytes: 5 } }],
  ['post /v2/uploads', 400, { body: { bytes: 0 } }],
  ['post /v2/uploads', 401, { body: { bytes: 5 }, key: 'none' }],
  ['post /v2/uploads', 402, { body: { bytes: 5 }, key: 'poor' }],
  ['patch /v2/uploads/{token}', 404, { rest: 'unknown' }],
  ['delete /v2/uploads/{token}', 404, { rest: 'unknown' }],
  ['post /v2/quotes', 200, async () => ({ body: { model_id: 'upscale', request: image() } })],
  ['post /v2/quotes', 400, { body: { model_id: 'upscale' } }],
  ['post /v2/quotes', 402, { body: { model_id: 'upscale', request: {} }, key: 'poor' }],
  ['post /v2/quotes', 403, { body: { model_id: 'upscale', request: {} }, key: 'limited' }],
  ['get /v2/usage', 200],
  ['get /v2/usage', 400, { rest: '?from=2026-02-30' }],
  ['get /v2/engines', 200],
  ['get /.well-known/jwks.json', 200],
  ['get /v2/wallet', 200],
  ['get /v2/wallet', 401, { key: 'none' }],
  ['post /uploads', 201, { body: new Uint8Array([1, 2, 3]) }],
  ['post /uploads', 400, { body: new Uint8Array(0) }],
  ['post /uploads', 402, { body: new Uint8Array([1]), key: 'poor' }],
  ['get /uploads', 200],
  ['get /uploads', 400, { rest: '?limit=0' }],
  ['delete /uploads/{upload_id}', 404, { rest: 'unknown' }],
  ['post /v2/tokens', 201, { body: { max_usd: '0.01', expires_in_seconds: 60 } }],
  ['post /v2/tokens', 400, { body: { max_usd: '0', expires_in_seconds: 60 } }],
  ['delete /v2/tokens/{token_id}', 404, { rest: 'unknown' }],
  ['put /v2/presets/{name}', 200, { rest: 'shop', body: RECIPE }],
  ['put /v2/presets/{name}', 400, { rest: 'shop', body: { steps: [] } }],
  ['get /v2/presets/{name}', 200, { rest: 'shop' }],
  ['get /v2/presets/{name}', 404, { rest: 'unknown' }],
  ['get /v2/presets', 200],
  ['get /v2/presets', 401, { key: 'none' }],
  ['delete /v2/presets/{name}', 204, { rest: 'shop' }],
  ['delete /v2/presets/{name}', 404, { rest: 'shop' }],
  ['get /v2/webhooks/events', 401, { key: 'none' }],
  ['get /v2/webhooks/events', 403, { key: 'limited' }],
  ['post /v2/webhooks/events', 200, { body: { outcome: 'completed' } }],
  ['post /v2/webhooks/events', 400, { body: { outcome: 'other' } }],
  ['get /v2/workers', 200],
  ['get /v2/workers', 403, { key: 'limited' }],
  ['get /v2/wallet', 200, { key: 'limited' }],
  ['post /v2/worker/claims', 204, { body: { wait_seconds: 0 } }],
  ['post /v2/worker/claims', 400, { body: { wait_seconds: -1 } }],
  ['post /v2/worker/claims', 401, { body: {}, key: 'none' }],
  ['delete /v2/worker/claims/{claim_id}', 404, { rest: 'upscale_0.1' }],
  ['post /v2/worker/claims/{claim_id}/progress', 404, { rest: 'upscale_0.1', body: { progress: 0 } }],
  ['get /v2/worker/claims/{claim_id}/files', 404, { rest: 'upscale_0.1' }],
  ['post /v2/worker/claims/{claim_id}/files', 404, { rest: 'upscale_0.1', body: {} }],
  ['post /v2/worker/claims/{claim_id}/report', 404, { rest: 'upscale_0.1', body: {} }],
  ['get /health', 200],
  ['get /openapi.json', 200],
];

/** A request that needs another operation than the limited key has; those of a pipeline are its steps'. */
async function getForbidden(path: string): Promise<Asked> {
  if (!path.includes('/pipelines')) return { body: {}, key: 'limited' };
  const input = path.endsWith('/batch') ? { items: [image()] } : image();
  return { body: { ...input, ...RECIPE }, key: 'limited' };
}

/** Requests that every operation refuses. */
const REFUSED = Object.values(OPERATIONS)
  .flatMap(({ path, ...operation }) => ('batch' in operation ? [`${path}/batch`, path] : [path]))
  .flatMap((path): Row[] => [
    [`post ${path}`, 400, { body: { nonsense: true } }],
    [`post ${path}`, 401, { body: {}, key: 'none' }],
    // Without a balance the specification knows no response of image moderation but 403.
    [`post ${path}`, path.includes('/image-moderation') ? 403 : 402, { body: {}, key: 'poor' }],
    ...(path.endsWith('/diarize') ? [] : [[`post ${path}`, 403, () => getForbidden(path)] as const]),
  ]);

type FullRow = [route: string, status: number, asked: Asked | (() => Promise<Asked>)];
const ROWS = [...RESULTS, ...ACCOUNT, ...REFUSED].map(
  ([route, status, asked = {}]): FullRow => [route, status, asked],
);

test.each(ROWS)('%s responds with %i as the OpenAPI document says', async (route, status, asked) => {
  const [method = '', path = ''] = route.split(' ');
  const response = await ask(route, asked instanceof Function ? await asked() : asked);
  expect(response).toMatchObject({ status });
  expect(getFaults(method, path, response)).toEqual([]);
});

test('delete /v2/requests/{request_id} and the events of a job respond with 200 as the OpenAPI document says', async () => {
  const { body } = await api.post('/v1/remove-bg/batch', { items: Array.from({ length: 20 }, image) });
  const canceled = await ask('delete /v2/requests/{request_id}', { rest: body.request_id });
  expect(getFaults('delete', '/v2/requests/{request_id}', canceled)).toEqual([]);
  const events = await ask('get /v2/requests/status/{request_id}/events', { rest: body.request_id });
  const [, job = ''] = /^event: job\nid: \S+\ndata: (.*)\n\n$/.exec(events.body) ?? [];
  const said = { status: events.status, body: JSON.parse(job) };
  expect(getFaults('get', '/v2/requests/status/{request_id}', said)).toEqual([]);
});

test('each documented route is in a table above, so that a new one is not forgotten', () => {
  const { paths } = openApiDocument('https://example.com', OPERATIONS) as {
    readonly paths: Record<string, Record<string, unknown>>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  // It has no body, whatever its status.
  const checked = new Set([...ROWS.map(([route]) => route), 'head /v2/uploads/{token}']);
  expect(documented.filter((route) => !checked.has(route))).toEqual([]);
});
