import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../models/registry.ts';
import { listRoutes } from '../../../server/api/routes/list-routes.ts';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ METRICS_TOKEN: 'a-token-of-some-length' });
});
afterAll(() => api.close());

describe('every path below /api returns JSON', () => {
  it.each(['/api', '/api/', '/api/nothing', '/api/v2/requests/status/', '/api/v2/requests/status/a/b'])(
    '404 at %s',
    async (path) => {
      const response = await api.call('GET', path);
      expect(response.status).toBe(404);
      expect(response.body).toEqual(problemBody('Not Found'));
    },
  );

  it.each([
    ['GET', '/api/media-tools/v1/image-convert', 'POST'],
    ['DELETE', '/api/v2/wallet', 'GET'],
    ['OPTIONS', '/api/health', 'GET'],
  ])('405 for %s %s', async (method, path, allow) => {
    const response = await api.call(method, path);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(response.body.error).toBe('Method Not Allowed');
  });
});

describe('GET /health', () => {
  it('returns 200 when the database and the store respond', async () => {
    expect(await api.call('GET', '/api/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

describe('GET /metrics', () => {
  it('returns 401 without the token', async () => {
    expect((await api.call('GET', '/api/metrics')).status).toBe(401);
  });

  it('returns 200 with job counts and request times with the token', async () => {
    await api.convert({ image_url: api.imageUrl, to_format: 'webp' });
    const response = await api.call('GET', '/api/metrics', {
      headers: { authorization: 'Bearer a-token-of-some-length' },
    });
    expect(response.status).toBe(200);
    expect(response.body).toContain('darkroom_jobs{operation="media-convert-image",status="QUEUED"} 1');
    expect(response.body).toContain('darkroom_http_request_seconds_count');
  });

  it('returns the queue, the runners and the deliveries', async () => {
    await api.convert({ image_url: api.imageUrl, to_format: 'webp' });
    await api.ctx.db.insert(schema.deliveries).values({
      accountId: api.accountId,
      reference: 'a',
      url: 'https://example.com',
      body: '{}',
      state: 'failed',
    });
    // It is tried for days: an alert on what was given up would come too late.
    await api.ctx.db.insert(schema.deliveries).values({
      accountId: api.accountId,
      reference: 'b',
      url: 'https://example.com',
      body: '{}',
      attempts: 2,
    });
    const waiting = await api.ctx.db.$count(schema.queueEntries);
    const response = await api.call('GET', '/api/metrics', {
      headers: { authorization: 'Bearer a-token-of-some-length' },
    });
    expect(response.body).toContain(`darkroom_queue_entries{lane="interactive",state="waiting"} ${waiting}`);
    expect(response.body).toContain('darkroom_runners 0');
    expect(response.body).toContain('darkroom_webhook_deliveries{state="failed"} 1');
    expect(response.body).toContain('darkroom_webhook_deliveries_failing 2');
  });

  it('returns 404 when no token is configured', async () => {
    const plain = await startApi();
    try {
      expect((await plain.call('GET', '/api/metrics')).status).toBe(404);
    } finally {
      await plain.close();
    }
  });
});

describe('GET /openapi.json', () => {
  it('returns 200 with OpenAPI 3.1 of every public path', async () => {
    const { status, body } = await api.call('GET', '/api/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toEqual([
      '/media-tools/v1/image-convert',
      '/media-tools/v1/image-convert/batch',
      '/v1/remove-bg',
      '/v1/remove-bg/batch',
      '/content-safety/v1/image-moderation',
      '/content-safety/v1/image-moderation/batch',
      '/image-outpaint/v1/image-outpaint-request',
      '/image-outpaint/v1/image-outpaint-request/batch',
      '/v1/upscale',
      '/v1/upscale/batch',
      '/audio-tools/v1/diarize',
      '/audio-tools/v1/separate-stems',
      '/v2/pipelines',
      '/v2/pipelines/batch',
      '/v2/requests/status/{request_id}',
      '/uploads',
      '/v2/engines',
      '/v2/wallet',
      '/health',
      '/.well-known/jwks.json',
      '/openapi.json',
      '/v2/requests',
      '/v2/requests/{request_id}',
      '/v2/requests/{request_id}/output',
      '/v2/requests/status/{request_id}/events',
      '/v2/webhooks/events',
      '/v2/quotes',
      '/v2/presets/{name}',
      '/v2/presets',
      '/v2/usage',
      '/v2/tokens',
      '/v2/tokens/{token_id}',
      '/uploads/{upload_id}',
      '/v2/uploads',
      '/v2/uploads/{token}',
      '/v2/workers',
      '/v2/worker/claims',
      '/v2/worker/claims/{claim_id}',
      '/v2/worker/claims/{claim_id}/progress',
      '/v2/worker/claims/{claim_id}/files',
      '/v2/worker/claims/{claim_id}/report',
    ]);
    const schema =
      body.paths['/media-tools/v1/image-convert'].post.requestBody.content['application/json'].schema;
    expect(schema.required).toEqual(['to_format']);
    // One of them.
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['image_url', 'image_b64']));
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties.quality).toMatchObject({ default: 92, minimum: 1, maximum: 100 });
  });

  it('leaves out paths for the studio and for operators', async () => {
    const { paths } = (await api.call('GET', '/api/openapi.json')).body;
    const documented = Object.entries<object>(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{.*\}/, '')}`),
    );
    const routed = (audience: string) =>
      listRoutes(OPERATIONS)
        .filter((route) => route.audience === audience)
        .map(({ method, path }) => `${method} ${path.replace(/\{.*\}/, '')}`);
    expect(documented.toSorted()).toEqual(routed('programs').toSorted());
    expect(routed('pages')).toEqual(['GET /weights/', 'GET /engines/', 'POST /fetch', 'POST /fetch/token']);
    expect(routed('agents')).toEqual(['POST /mcp']);
    expect(routed('operators')).toEqual(['POST /stripe/webhook', 'GET /live', 'GET /metrics']);
  });

  it('describes the direct response of remove-bg and its batches', async () => {
    const { paths, components } = (await api.call('GET', '/api/openapi.json')).body;
    const { responses, security } = paths['/v1/remove-bg'].post;
    expect(security).toEqual([{ bearer: [] }, { subscriptionKey: [] }]);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['200', '202', '400', '402', '422', '500']),
    );
    expect(responses['200'].content['application/json'].schema.$ref).toMatch(/BackgroundRemovalResponse$/);
    expect(components.schemas.BackgroundRemovalResponse.required).toEqual(
      expect.arrayContaining(['status', 'output_url', 'matte_quality', 'request_id', 'engine', 'cached']),
    );
    const batch = paths['/v1/remove-bg/batch'].post;
    expect(batch.responses['200'].description).toBe('The job has ended in time.');
    const { items, background } = batch.requestBody.content['application/json'].schema.properties;
    expect(items).toMatchObject({ type: 'array', minItems: 1, maxItems: 100 });
    expect(background.default).toBeUndefined();
  });

  it('describes, for each body of JSON, that its coding may be refused', async () => {
    const { body } = await api.call('GET', '/api/openapi.json');
    const methods: { path: string; requestBody?: { content: object }; responses: object }[] = Object.entries(
      body.paths,
    ).flatMap(([path, each]) => Object.values(Object(each)).map((method) => ({ path, ...Object(method) })));
    const withJson = methods.filter(
      ({ requestBody }) => requestBody && 'application/json' in requestBody.content,
    );
    expect(withJson.length).toBeGreaterThan(15);
    const silent = withJson.filter(({ responses }) => !('415' in responses));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});
