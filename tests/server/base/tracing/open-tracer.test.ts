import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readEnv } from '../../../../server/base/env.ts';
import { createLogger } from '../../../../server/base/log.ts';
import { openTracer } from '../../../../server/base/open-tracer.ts';
import { inSpan, type Tracer } from '../../../../server/base/tracer.ts';
import { startTraceCollector, type TraceCollector } from '../../../support/servers/trace-collector.ts';

let collector: TraceCollector;
beforeEach(async () => {
  collector = await startTraceCollector();
});
afterEach(() => collector.close());

const lines: string[] = [];
const log = createLogger('info', 'test', { write: (line) => lines.push(line) });

async function open(environment: Record<string, string> = {}): Promise<Tracer> {
  const env = readEnv({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...environment,
  });
  const tracer = await openTracer(env, 'test', log);
  if (!tracer) throw new Error('tracing is off');
  return tracer;
}

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('there is no tracer, and work runs without a span', async () => {
    expect(await openTracer(readEnv({}), 'test', log)).toBeUndefined();
    const work = vi.fn(async (_ctx: object, span: unknown) => span);
    expect(await inSpan({}, 'step', work)).toBeUndefined();
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('a process loads none of the packages', { tags: ['long'] }, () => {
    const program = `
      const { openTracer } = await import('./server/base/open-tracer.ts');
      const { readEnv } = await import('./server/base/env.ts');
      const env = readEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: process.argv[1] });
      await openTracer(env, 'test', undefined);
      const { createRequire } = await import('node:module');
      const loaded = Object.keys(createRequire(process.cwd() + '/').cache);
      console.log(loaded.filter((path) => path.includes('@opentelemetry')).length);`;
    const loaded = (endpoint: string) => {
      const args = ['--import', 'tsx', '--input-type=module', '-e', program, endpoint];
      return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    };
    expect(loaded('')).toBe(0);
    expect(loaded('http://127.0.0.1:9')).toBeGreaterThan(0);
  });
});

describe('a tracer', () => {
  it('sends Protobuf unless JSON is chosen', async () => {
    const tracer = await open({ OTEL_EXPORTER_OTLP_PROTOCOL: '' });
    tracer.start('step of a job').end();
    await tracer.flush();
    const [request] = collector.requests;
    expect(request?.headers['content-type']).toBe('application/x-protobuf');
    expect(request?.body.includes('step of a job')).toBe(true);
  });

  it('starts spans below others, also below one of another process', async () => {
    const tracer = await open();
    const above = tracer.start('above');
    const other = await open();
    other.start('below', { parent: above.traceparent }).end();
    above.end();
    await Promise.all([tracer.flush(), other.flush()]);
    const [first, second] = collector.spans().toSorted((a, b) => a.name.localeCompare(b.name));
    expect(second).toMatchObject({ traceId: first?.traceId, parentSpanId: first?.spanId });
  });

  it.each([
    'nonsense',
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'1'.repeat(32)}-${'0'.repeat(16)}-01`,
    `00-${'A'.repeat(32)}-${'1'.repeat(16)}-01`,
    `01-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01-${'x'.repeat(100_000)}`,
  ])('ignores a traceparent that is not valid: %.60s', async (text) => {
    const tracer = await open();
    tracer.start('step', { parent: text, link: text }).end();
    await tracer.flush();
    const [span] = collector.spans();
    expect(span?.parentSpanId).toBeUndefined();
    expect(span?.links).toEqual([]);
    expect(JSON.stringify(span)).not.toContain('1'.repeat(32));
  });

  it('records the given share of traces', async () => {
    const tracer = await open({ OTEL_TRACES_SAMPLER_ARG: '0' });
    const span = tracer.start('step');
    expect(span.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    span.start('below').end();
    span.end();
    await tracer.flush();
    expect(collector.requests).toEqual([]);
  });

  it('marks a span whose work throws by the class of the error', async () => {
    const tracer = await open();
    const work = () => Promise.reject(new RangeError('a secret'));
    await expect(inSpan({ tracer }, 'step', work)).rejects.toThrow('a secret');
    await tracer.flush();
    const [span] = collector.spans();
    expect(span).toMatchObject({ isFailed: true, attributes: { 'error.type': 'RangeError' } });
    expect(JSON.stringify(span)).not.toContain('secret');
  });
});

describe('a collector that refuses', () => {
  it('fails no work and is logged once, until it accepts again', async () => {
    lines.length = 0;
    const tracer = await open();
    collector.status = 400;
    for (let round = 0; round < 3; round++) {
      expect(await inSpan({ tracer }, 'step', async () => 'done')).toBe('done');
      await tracer.flush();
    }
    collector.status = 200;
    await inSpan({ tracer }, 'step', async () => 'done');
    await tracer.flush();
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'traces cannot be exported',
      'traces are exported again',
    ]);
  });

  it('leaves a bounded number of spans waiting', async () => {
    const tracer = await open();
    for (let made = 0; made < 5_000; made++) tracer.start('step').end();
    await tracer.flush();
    expect(collector.spans().length).toBeLessThan(3_000);
  });
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'no value' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG'],
])('the start fails for %j', (environment, name) => {
  expect(() => readEnv(environment)).toThrow(name);
});
