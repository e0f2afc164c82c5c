import { z } from 'zod';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import type { Context } from '../../base/context.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { awaitJobChange, getJob } from '../../jobs/index.ts';
import { EVENT_STREAM_HEADERS, HEARTBEAT_EVERY_MS, respondWithEvents } from '../event-stream.ts';
import { isStillPermitted, nameJob } from '../job-access.ts';
import { JOB_EVENT } from '../job-event.ts';
import { describeProblems, JOB_ID } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { getProcessLimits, STREAM_MINUTES_MAX } from '../transport/process-limits.ts';

const headersSchema = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .meta({ description: 'Id of the last event that has arrived; an EventSource sends it itself.' }),
});
const eventsSchema = z.string().meta({
  description: 'Each event has the fields event, id and data, whose JSON is a Job.',
  example: `event: ${JOB_EVENT}\nid: 1795638702833-QUEUED\ndata: {"request_id":"…","status":"QUEUED"}\n\n`,
});

/**
 * Server-sent events, each the whole job, whenever its state or progress has changed. The stream ends with the job, and
 * when the person of a session may no longer see it. A reconnect whose Last-Event-ID is that of the job's end gets 204,
 * after which an EventSource stays closed; with any other id it gets the newest state, which holds all that was missed.
 */
export const streamRequestEvents = defineRoute({
  method: 'GET',
  path: '/v2/requests/status/{request_id}/events',
  permission: 'jobs.see',
  isForTokens: true,
  docs: {
    operationId: 'getRequestEvents',
    tag: 'jobs',
    summary: 'State of a job, as it changes',
    description: `Server-sent events named \`${JOB_EVENT}\`, whose data is the job as JSON and whose id names its state: one at once, then one for each change of state or progress. Comments keep the connection open. The stream ends with the job, or after ${STREAM_MINUTES_MAX} minutes: then connect again with Last-Event-ID, as an EventSource does. Each event is the whole job, so the newest one holds all that was missed. A reconnect after the last event of an ended job gets 204.`,
    requestParams: { ...JOB_ID, header: headersSchema },
    responses: {
      '200': { description: 'The events.', content: { 'text/event-stream': { schema: eventsSchema } } },
      '204': { description: 'The job has ended, and Last-Event-ID is that of its last event.' },
      ...describeProblems(['unauthorized', 'not_found', 'too_many_requests']),
    },
  },
  async handle({ ctx, request, actor, segment: id }) {
    const { accountId } = actor;
    // 1. Take one of the account's streams.
    const place = getProcessLimits(ctx.env).streams.acquire(accountId, 1);
    try {
      // 2. Find the job, and what the client has seen of it.
      const first = await getJob(ctx, nameJob(actor, id));
      const seenId = request.headers.get('last-event-id');
      const hasSeenEnd = isTerminal(first.status) && seenId === getEventId(first);
      if (hasSeenEnd || request.method === 'HEAD') {
        place.release();
        return hasSeenEnd
          ? new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
          : new Response(null, { headers: EVENT_STREAM_HEADERS });
      }
      // 3. Stream.
      const writeTexts = (signal: AbortSignal) => getEvents(ctx, { actor, id, first, seenId, signal });
      return respondWithEvents({ ctx, request }, { place, writeTexts });
    } catch (thrown) {
      place.release();
      throw thrown;
    }
  },
});

interface Watched {
  readonly actor: Actor;
  readonly id: string;
  readonly first: JobView;
  /** Id of the last event that the client has; null without one. */
  readonly seenId: string | null;
  readonly signal: AbortSignal;
}

async function* getEvents(
  ctx: Context,
  { actor, id, first, seenId, signal }: Watched,
): AsyncGenerator<string> {
  yield seenId === getEventId(first) ? ': nothing new\n\n' : getEvent(first);
  let sent = first;
  let sentAtMs = performance.now();
  while (!isTerminal(sent.status) && !signal.aborted) {
    const mayHaveChanged = await awaitJobChange(ctx, id, getEventId(sent), signal);
    if (signal.aborted || !(await isStillPermitted(ctx, actor, 'jobs.see'))) return;
    const read = () => getJob(ctx, nameJob(actor, id));
    const job = await Promise.resolve(mayHaveChanged ? read() : sent).catch((thrown) => {
      if (thrown instanceof OperationError) throw thrown;
      // The database may be back in a second.
      ctx.log.warn({ err: thrown, requestId: id }, 'could not read the job of a stream');
      return sent;
    });
    if (getEventId(job) !== getEventId(sent)) yield getEvent(job);
    else if (performance.now() - sentAtMs > HEARTBEAT_EVERY_MS) yield ': heartbeat\n\n';
    else continue;
    sent = job;
    sentAtMs = performance.now();
  }
}

function getEvent(job: JobView): string {
  return `event: ${JOB_EVENT}\nid: ${getEventId(job)}\ndata: ${JSON.stringify(job)}\n\n`;
}

/** Returns the id of a job's event: it names the state that the event shows. */
function getEventId({ updated_at, status }: JobView): string {
  return `${Date.parse(updated_at)}-${status}`;
}
