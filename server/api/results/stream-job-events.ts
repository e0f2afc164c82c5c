import { OperationError } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import { createTimeoutSignal } from '../../base/timeout-signal.ts';
import type { Context } from '../../base/context/context.ts';
import { awaitJobEnd, getJob } from '../../jobs/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { STREAM_MINUTES_MAX } from '../limits/limits.ts';
import { getProcessLimits } from '../limits/process-limits.ts';
import { streamBody } from '../transport/stream-body.ts';
import { canStillSee } from './can-still-see.ts';
import { JOB_EVENT } from './job-event.ts';

const CHECK_EVERY_MS = 1_000;
const HEARTBEAT_EVERY_MS = 15_000;
/** Longest time without a read by the client. */
const STALL_MS = 60_000;

/**
 * Handles GET /v2/requests/status/<id>/events: server-sent events, each the whole job, whenever its state or progress
 * has changed. The stream ends with the job, and when the person of a session may no longer see it. A reconnect whose
 * Last-Event-ID is that of the job's end gets 204, after which an EventSource stays closed; with any other id it gets
 * the newest state, which holds all that was missed.
 * @throws OperationError `not_found`, or `too_many_requests` beyond the account's streams
 */
export async function jobEvents(ctx: Context, request: Request, actor: Actor, id: string): Promise<Response> {
  const { accountId } = actor;
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    // A compressing proxy would hold events back.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  };
  const place = getProcessLimits(ctx.env).streams.acquire(accountId, 1);
  try {
    const first = await getJob(ctx, { accountId, id });
    const seenId = request.headers.get('last-event-id');
    const isOver = isTerminal(first.status) && seenId === eventIdOf(first);
    if (isOver || request.method === 'HEAD') {
      place.release();
      return isOver
        ? new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
        : new Response(null, { headers });
    }
    const ended = new AbortController();
    const stops = [ended.signal, request.signal, ...(ctx.stopping ? [ctx.stopping] : [])];
    const signal = createTimeoutSignal(STREAM_MINUTES_MAX * 60_000, ...stops);
    const close = () => {
      ended.abort();
      place.release();
    };
    const events = encoded(eventsOf(ctx, { actor, id, first, seenId, signal }));
    return new Response(streamBody(events, { request, stallMs: STALL_MS, close }), { headers });
  } catch (thrown) {
    place.release();
    throw thrown;
  }
}

interface Watched {
  readonly actor: Actor;
  readonly id: string;
  readonly first: JobView;
  /** Id of the last event that the client has; null without one. */
  readonly seenId: string | null;
  readonly signal: AbortSignal;
}

async function* eventsOf(
  ctx: Context,
  { actor, id, first, seenId, signal }: Watched,
): AsyncGenerator<string> {
  const { accountId } = actor;
  yield seenId === eventIdOf(first) ? ': nothing new\n\n' : eventOf(first);
  let sent = first;
  let sentAtMs = performance.now();
  while (!isTerminal(sent.status) && !signal.aborted) {
    await awaitJobEnd(ctx, id, createTimeoutSignal(CHECK_EVERY_MS, signal));
    if (signal.aborted || !(await canStillSee(ctx, actor))) return;
    const job = await getJob(ctx, { accountId, id }).catch((thrown) => {
      if (thrown instanceof OperationError) throw thrown;
      // The database may be back in a second.
      ctx.log.warn({ err: thrown, requestId: id }, 'could not read the job of a stream');
      return sent;
    });
    if (eventIdOf(job) !== eventIdOf(sent)) yield eventOf(job);
    else if (performance.now() - sentAtMs > HEARTBEAT_EVERY_MS) yield ': heartbeat\n\n';
    else continue;
    sent = job;
    sentAtMs = performance.now();
  }
}

function eventOf(job: JobView): string {
  return `event: ${JOB_EVENT}\nid: ${eventIdOf(job)}\ndata: ${JSON.stringify(job)}\n\n`;
}

/** Returns the id of a job's event: it names the state that the event shows. */
function eventIdOf({ updated_at, status }: JobView): string {
  return `${Date.parse(updated_at)}-${status}`;
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}
