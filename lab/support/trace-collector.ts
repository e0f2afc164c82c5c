import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Span as a collector receives it, in the JSON of OTLP. */
export interface CollectedSpan {
  /** Process that has sent it. */
  readonly part: string;
  /** Name of the code that has written it. */
  readonly library: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** OTLP: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isFailed: boolean;
}

export interface TraceCollector {
  /** Endpoint for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly requests: readonly {
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body: Buffer;
  }[];
  /** Status of the next responses. */
  status: number;
  /** Returns all spans that have come as JSON. */
  spans(): CollectedSpan[];
  close(): Promise<void>;
}

/** Starts a stand-in for an OpenTelemetry collector, on loopback: POST /v1/traces. */
export async function collectTraces(): Promise<TraceCollector> {
  const requests: TraceCollector['requests'][number][] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)]));
      requests.push({ path: request.url ?? '', headers, body: Buffer.concat(chunks) });
      response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    status: 200,
    spans: () => requests.flatMap(({ body }) => getSpans(JSON.parse(body.toString()))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return collector;
}

/** Returns the duration of a span in ms, whose difference in nanoseconds is exact. */
export function durationMs({ startTimeUnixNano, endTimeUnixNano }: CollectedSpan): number {
  return Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6;
}

type Json = ReturnType<JSON['parse']>;

function getSpans(body: Json): CollectedSpan[] {
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: Json) => {
    const part = getAttributes(resource)['darkroom.part'];
    return scopeSpans.flatMap(({ scope, spans }: Json) =>
      spans.map((span: Json) => ({
        ...span,
        part,
        library: scope.name,
        attributes: getAttributes(span),
        isFailed: span.status.code === 2,
      })),
    );
  });
}

function getAttributes({ attributes }: Json): CollectedSpan['attributes'] {
  return Object.fromEntries(attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]));
}
