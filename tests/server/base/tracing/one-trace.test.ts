import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from '../../../../server/api/trpc/router.ts';
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../../../support/servers/trace-collector.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/servers/webhook-receiver.ts';
import { drawRedBall, startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard } from '../../../support/service/dashboard.ts';

type ApiResponse = Awaited<ReturnType<TestApi['call']>>;

const SECRET = 'tell-no-one';
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

let collector: TraceCollector;
let receiver: WebhookReceiver;
let api: TestApi;
const logLines: string[] = [];

beforeAll(async () => {
  collector = await startTraceCollector();
  receiver = await startWebhookReceiver();
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20key',
    LOG_LEVEL: 'info',
  };
  api = await startApi(environment, '1', undefined, logLines);
  await api.startRunner();
});

afterAll(async () => {
  await api.close();
  await receiver.close();
  await collector.close();
});

describe('a conversion while tracing is on', () => {
  let response: ApiResponse;
  let spans: CollectedSpan[];
  const find = (name: string) => spans.find((span) => span.name === name);
  const getParent = (name: string) => spans.find(({ spanId }) => spanId === find(name)?.parentSpanId)?.name;

  beforeAll(async () => {
    response = await api.call('POST', `/api/media-tools/v1/image-convert?token=${SECRET}`, {
      body: { image_url: api.imageUrl, to_format: 'webp' },
      headers: {
        'ocp-apim-subscription-key': api.apiKey,
        traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
        'x-webhook-url': `${receiver.url}?token=${SECRET}`,
      },
    });
    expect(response.status, JSON.stringify(response.body)).toBe(202);
    await receiver.until(1);
    await collector.until('deliver webhook');
    await api.ctx.tracer?.flush();
    spans = collector.spans().filter(({ traceId }) => traceId === response.headers.get('x-request-id'));
  });

  it('is one trace from the request to the child and the webhook', () => {
    const route = 'POST /media-tools/v1/image-convert';
    expect(find(route)).toMatchObject({
      kind: 2,
      attributes: { 'http.route': '/media-tools/v1/image-convert', 'http.response.status_code': 202 },
    });
    expect(find(route)?.parentSpanId).toBeUndefined();
    const tree = {
      'stage files': route,
      'accept job': route,
      'wait in queue': 'accept job',
      'attempt job': 'accept job',
      'claim job': 'attempt job',
      'fetch input': 'attempt job',
      'run operation': 'attempt job',
      decode: 'run operation',
      encode: 'run operation',
      'store result': 'attempt job',
      'end job': 'attempt job',
      'deliver webhook': 'accept job',
    };
    expect(Object.fromEntries(Object.keys(tree).map((name) => [name, getParent(name)]))).toEqual(tree);
    expect(spans.map(({ name }) => name).toSorted()).toEqual([route, ...Object.keys(tree)].toSorted());
  });

  it('has no span that begins after its end, or outside of the run that it is part of', () => {
    const time = (span: CollectedSpan | undefined) => [
      BigInt(span?.startTimeUnixNano ?? 0),
      BigInt(span?.endTimeUnixNano ?? 0),
    ];
    const [runStart = 0n, runEnd = 0n] = time(find('run operation'));
    for (const span of spans) {
      const [start = 0n, end = 0n] = time(span);
      expect(start, span.name).toBeLessThanOrEqual(end);
    }
    for (const stage of ['decode', 'encode']) {
      const [start, end] = time(find(stage));
      expect(start).toBeGreaterThanOrEqual(runStart);
      expect(end).toBeLessThanOrEqual(runEnd);
      expect(find(stage)?.attributes['darkroom.calls']).toBeGreaterThan(0);
    }
  });

  it("links the caller's trace, and does not continue it", () => {
    const [link] = find('POST /media-tools/v1/image-convert')?.links ?? [];
    expect(link).toMatchObject(CALLER);
    expect(collector.spans().map(({ traceId }) => traceId)).not.toContain(CALLER.traceId);
  });

  it('contains no key, query, URL or file name', () => {
    const sent = collector.requests.map(({ body }) => body.toString()).join('\n');
    for (const text of [SECRET, api.apiKey, 'photo.png', 'token', receiver.url, api.accountId]) {
      expect(sent).not.toContain(text);
    }
  });

  it('is named by the log lines of web and runner', () => {
    const lines = logLines.map((line) => JSON.parse(line));
    const named = lines.filter(({ traceId }) => traceId === response.headers.get('x-request-id'));
    expect(named.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['job accepted', 'request', 'job completed', 'webhook attempt']),
    );
  });

  it('reaches the collector at its path, with the headers of the environment', () => {
    const [request] = collector.requests;
    expect(request?.path).toBe('/v1/traces');
    expect(request?.headers['x-collector-key']).toBe('a key');
  });
});

/** Returns the spans of a job that has ended. Its last span ends just after others can see that it has. */
async function spansOfJob({ headers }: ApiResponse) {
  const ofJob = () => collector.spans().filter(({ traceId }) => traceId === headers.get('x-request-id'));
  await expect
    .poll(async () => {
      await api.ctx.tracer?.flush();
      return ofJob().map(({ name }) => name);
    })
    .toContain('attempt job');
  return ofJob();
}

it('a failed run is marked by its code alone', async () => {
  const photo = new Uint8Array(await (await fetch(api.imageUrl)).arrayBuffer());
  const { body } = await api.upload(photo.slice(0, 60));
  const response = await api.convert({ image_url: body.upload_url, to_format: 'webp' });
  const { status, error } = await api.ended(response.body.request_id);
  expect(status).toBe('FAILED');
  const ofJob = await spansOfJob(response);
  const find = (name: string) => ofJob.find((span) => span.name === name);
  expect(find('run operation')).toMatchObject({
    isFailed: true,
    attributes: { 'error.type': 'unprocessable', 'darkroom.outcome': 'failed' },
  });
  expect(find('attempt job')?.attributes['darkroom.outcome']).toBe('fail');
  expect(find('end job')?.parentSpanId).toBe(find('attempt job')?.spanId);
  expect(JSON.stringify(ofJob)).not.toContain(error);
});

it('a batch is one trace, with a run for each item', { tags: ['long'] }, async () => {
  const pictures = await Promise.all([drawRedBall('png'), drawRedBall('jpeg')]);
  const items = pictures.map((picture) => ({ image_b64: picture.toString('base64') }));
  const response = await api.removeBgBatch({ items });
  expect(response.status, JSON.stringify(response.body)).toBe(202);
  await api.ended(response.body.request_id);
  const ofJob = await spansOfJob(response);
  const [attempt] = ofJob.filter(({ name }) => name === 'attempt job');
  const runs = ofJob.filter(({ name }) => name === 'run operation');
  expect(runs.map(({ parentSpanId }) => parentSpanId)).toEqual([attempt?.spanId, attempt?.spanId]);
  for (const { spanId } of runs) {
    const stages = ofJob.filter(({ parentSpanId }) => parentSpanId === spanId);
    expect(stages.map(({ name }) => name).toSorted()).toEqual(['decode', 'encode', 'session']);
  }
});

it('a call of the dashboard has its own span', async () => {
  const { call } = await openDashboard(api, 'traced@example.com');
  await call.keys.list();
  await appRouter
    .createCaller({ ctx: api.ctx, visitor: null, headers: new Headers() })
    .keys.list()
    .catch(() => {});
  await api.ctx.tracer?.flush();
  const calls = collector.spans().filter(({ name }) => name === 'dashboard keys.list');
  expect(calls.slice(-2).map(({ attributes }) => attributes['error.type'])).toEqual([
    undefined,
    'UNAUTHORIZED',
  ]);
});

it('leaves out health checks, and numbers in the paths of others', async () => {
  await api.call('GET', '/api/health');
  await api.status('no-such-request');
  await api.call('GET', '/api/no/such/path');
  await collector.until('GET /v2/requests/status/');
  await api.ctx.tracer?.flush();
  const names = collector.spans().map(({ name }) => name);
  expect(names).not.toContain('GET /health');
  expect(names).toContain('GET');
  expect(collector.requests.map(({ body }) => body.toString()).join()).not.toMatch(
    /no-such-request|no\/such/,
  );
});
