import type * as Api from '@opentelemetry/api';
import type { SpanContext } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Env } from './env.ts';
import type { Logger } from './log.ts';
import type { Span, SpanAttributes, SpanOptions, Tracer } from './tracer.ts';

/** Version 00 of https://www.w3.org/TR/trace-context/#traceparent-header; ids of zeros alone are invalid. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

const SAMPLED = 1;

/** Spans that wait to be sent; further ones are dropped. */
const WAITING_MAX = 2048;

const SEND_EVERY_MS = 2_000;

const SEND_MS_MAX = 10_000;

const FLUSH_MS_MAX = 3_000;

/** Longer texts are cut. Every text is one of ours. */
const TEXT_CHARACTERS_MAX = 128;

/**
 * Opens the tracer of this process; undefined unless the environment names a collector. The packages are loaded then
 * only. The provider is not registered globally: libraries would add spans of their own, with whole URLs in them.
 * @param part name of the process
 */
export async function openTracer(env: Env, part: string, log: Logger): Promise<Tracer | undefined> {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const [api, sdk, { resourceFromAttributes }, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    openExporter(env, env.OTEL_EXPORTER_OTLP_ENDPOINT),
  ]);
  const processor = new sdk.BatchSpanProcessor({
    exporter: reportExportFailures(exporter, log),
    maxQueueSize: WAITING_MAX,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_MS_MAX,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': env.OTEL_SERVICE_NAME,
      'service.instance.id': `${part}-${process.pid}`,
      'darkroom.part': part,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(env.OTEL_TRACES_SAMPLER_ARG),
    }),
    spanLimits: { attributeValueLengthLimit: TEXT_CHARACTERS_MAX },
    spanProcessors: [processor],
  });
  return tracerAt(api.ROOT_CONTEXT, {
    api,
    tracer: provider.getTracer('darkroom'),
    flush: () => provider.forceFlush({ timeoutMillis: FLUSH_MS_MAX }).catch(() => {}),
  });
}

async function openExporter(env: Env, endpoint: string) {
  const options = {
    url: `${endpoint}/v1/traces`,
    headers: Object.fromEntries(env.OTEL_EXPORTER_OTLP_HEADERS),
    timeoutMillis: SEND_MS_MAX,
  };
  const { OTLPTraceExporter } = await (env.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'));
  return new OTLPTraceExporter(options);
}

interface Opened {
  readonly api: typeof Api;
  readonly tracer: Api.Tracer;
  flush(): Promise<void>;
}

function tracerAt(place: Api.Context, opened: Opened): Tracer {
  const { api, tracer } = opened;
  return {
    flush: opened.flush,
    start(name, options = {}) {
      const above = options.parent === undefined ? place : getPlace(opened, options.parent);
      const span = tracer.startSpan(name, getSpanOptions(api, options), above);
      return getSpan(span, api.trace.setSpan(api.ROOT_CONTEXT, span), opened);
    },
  };
}

function getPlace({ api }: Opened, traceparent: string | null): Api.Context {
  const parent = parseTraceparent(traceparent);
  return parent ? api.trace.setSpanContext(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT;
}

function getSpanOptions(
  { SpanKind }: typeof Api,
  { kind, link, startMs, attributes }: SpanOptions,
): Api.SpanOptions {
  const kinds = {
    server: SpanKind.SERVER,
    producer: SpanKind.PRODUCER,
    consumer: SpanKind.CONSUMER,
    client: SpanKind.CLIENT,
  };
  const linked = parseTraceparent(link);
  return {
    ...(kind && { kind: kinds[kind] }),
    ...(linked && { links: [{ context: linked }] }),
    ...(startMs !== undefined && { startTime: startMs }),
    ...(attributes && { attributes: { ...attributes } }),
  };
}

function getSpan(span: Api.Span, place: Api.Context, opened: Opened): Span {
  const spanContext = span.spanContext();
  return {
    ...tracerAt(place, opened),
    traceId: spanContext.traceId,
    traceparent: formatTraceparent(spanContext),
    set(attributes: SpanAttributes) {
      span.setAttributes({ ...attributes });
    },
    fail(errorType) {
      span.setStatus({ code: opened.api.SpanStatusCode.ERROR });
      span.setAttribute('error.type', errorType);
    },
    end: (endMs) => span.end(endMs),
  };
}

/** Reads a traceparent; undefined when it is absent or not valid. */
function parseTraceparent(text: string | null | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED, isRemote: true };
}

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & SAMPLED).toString(16).padStart(2, '0')}`;
}

/** Logs when the collector stops taking spans, and when it takes them again: one line each, however long it lasts. */
function reportExportFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    shutdown: () => exporter.shutdown(),
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !isFailing) log.warn({ reason: getReason(result.error) }, 'traces cannot be exported');
        else if (!failed && isFailing) log.info('traces are exported again');
        isFailing = failed;
        done(result);
      });
    },
  };
}

/** Returns a short reason: the error itself may hold the collector's whole response. */
function getReason(error: (Error & { code?: unknown }) | undefined): string {
  return String(error?.code ?? error?.message ?? 'unknown').slice(0, 200);
}
