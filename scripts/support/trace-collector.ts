import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Span as a collector receives it, in the JSON of OTLP. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  /** Duration in ms. */
  readonly ms: number;
}

export interface SpanCollector {
  /** Endpoint for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** Spans so far. */
  readonly spans: readonly ReceivedSpan[];
  close(): Promise<void>;
}

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

/** Environment of a service that sends every trace to a collector as JSON. */
export function tracingEnv({ url }: SpanCollector): Record<string, string> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
}

/** Starts a collector of traces on loopback: `POST /v1/traces`. */
export async function collectSpans(): Promise<SpanCollector> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      spans.push(...readSpans(Buffer.concat(chunks).toString()));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readSpans(text: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(text) as {
    resourceSpans: readonly { scopeSpans: readonly { spans: readonly SentSpan[] }[] }[];
  };
  const sent = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  return sent.map(({ name, traceId, startTimeUnixNano, endTimeUnixNano }) => {
    // Within a second, so that the difference is exact in a double.
    const ms = Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6;
    return { name, traceId, ms };
  });
}
