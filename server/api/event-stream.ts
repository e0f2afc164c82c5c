import { createTimeoutSignal } from '../base/signals.ts';
import type { RouteCall } from './route.ts';
import type { Allowance } from './transport/keyed-limit.ts';
import { STREAM_MINUTES_MAX } from './transport/process-limits.ts';
import { streamBody } from './transport/stream-body.ts';

/** Longest silence of a stream: proxies cut what is silent for a minute. */
export const HEARTBEAT_EVERY_MS = 15_000;
/** Longest time without a read by the client. */
const STALL_MS = 60_000;

/** Headers of every stream of events. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A compressing proxy would hold events back.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};

interface EventStream {
  /** One of the account's streams. It is released at the end. */
  readonly place: Pick<Allowance, 'release'>;
  /** Yields events and comments until the signal aborts. */
  writeTexts(signal: AbortSignal): AsyncIterable<string>;
  /** Called once, at the end: for a client that has left already, too. */
  close?(): void;
}

/** Responds with server-sent events, for at most {@link STREAM_MINUTES_MAX} minutes. */
export function respondWithEvents(
  { ctx, request }: Pick<RouteCall, 'ctx' | 'request'>,
  { place, writeTexts, close }: EventStream,
): Response {
  const ended = new AbortController();
  const signal = createTimeoutSignal(STREAM_MINUTES_MAX * 60_000, ended.signal, request.signal, ctx.stopping);
  const end = () => {
    ended.abort();
    close?.();
    place.release();
  };
  const chunks = encodeTexts(writeTexts(signal));
  return new Response(streamBody(chunks, { request, stallMs: STALL_MS, close: end }), {
    headers: EVENT_STREAM_HEADERS,
  });
}

async function* encodeTexts(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}
