import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import type { Context } from '../../base/context.ts';
import { getNotifications } from '../../base/database/notifications.ts';
import type { Actor } from '../../identity/keys/index.ts';
import {
  announceEvent,
  createSignatureHeaders,
  listActiveSecrets,
  readDeliveryBody,
} from '../../io/webhooks/index.ts';
import { getJob } from '../../jobs/index.ts';
import { EVENT_STREAM_HEADERS, HEARTBEAT_EVERY_MS, respondWithEvents } from '../event-stream.ts';
import { isStillPermitted, nameJob } from '../job-access.ts';
import { describeBody, describeProblems, describeResponse, JSON_FAULTS } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { buildTestEvent, TEST_OUTCOMES } from '../test-event.ts';
import { jsonResponse } from '../transport/problem.ts';
import { getProcessLimits, STREAM_MINUTES_MAX } from '../transport/process-limits.ts';
import { parseJsonObject, readBody } from '../transport/read-request.ts';
import { annotateBody } from '../transport/request-log.ts';

const PATH = '/v2/webhooks/events';
const PERMISSION = 'webhooks.change';
/** Longest time for which a person who has lost the permission still gets events. */
const CHECK_EVERY_MS = 1_000;
/** Events that wait for the client; further ones are dropped. */
const WAITING_MAX = 1_000;
const BODY_BYTES_MAX = 1_000;

const streamSchema = z.string().meta({
  description:
    'Each event has the fields event, id and data, whose JSON has the `headers` of the delivery and its `body` as text.',
  example:
    'event: delivery\nid: 0199…\ndata: {"headers":{"webhook-id":"0199…","webhook-timestamp":"…","webhook-signature":"v1,…"},"body":"{…}"}\n\n',
});
const testSchema = z.strictObject({
  outcome: z.enum(TEST_OUTCOMES).default('completed').meta({ description: 'End of the job in the event.' }),
});

/** @throws OperationError `forbidden` for a key that sees a part of the account alone */
function assertUnlimited({ visibleKeyIds }: Actor): void {
  if (!visibleKeyIds) return;
  throw new OperationError('forbidden', 'This API key has limits. Events of the account need one without.');
}

/**
 * Signed webhooks of the account as server-sent events, from the connection on, with the ends of jobs that have no
 * webhook. A program without a public address receives them in this way.
 */
export const streamWebhookEvents = defineRoute({
  method: 'GET',
  path: PATH,
  permission: PERMISSION,
  docs: {
    operationId: 'getWebhookEvents',
    tag: 'jobs',
    summary: 'Webhooks of the account, as they are made',
    description: `Server-sent events named \`delivery\`, each with the signed headers and the body of a webhook: of the end of every job of the account, with or without X-Webhook-URL, and of its spending. The stream has what happens while it is open, and ends after ${STREAM_MINUTES_MAX} minutes: then connect again. For keys without limits. \`darkroom listen\` sends the events to a local address.`,
    responses: {
      '200': { description: 'The events.', content: { 'text/event-stream': { schema: streamSchema } } },
      ...describeProblems(['unauthorized', 'forbidden', 'too_many_requests']),
    },
  },
  async handle({ ctx, request, actor }) {
    // 1. Authorize.
    assertUnlimited(actor);
    if (request.method === 'HEAD') return new Response(null, { headers: EVENT_STREAM_HEADERS });
    const names = await getNotifications(ctx.db, 'delivery');
    // 2. Take one of the account's streams.
    const place = getProcessLimits(ctx.env).streams.acquire(actor.accountId, 1);
    // 3. Stream.
    const waiting: string[] = [];
    const onEvent = (event: string) => void (waiting.length < WAITING_MAX && waiting.push(event));
    names.on(actor.accountId, onEvent);
    const writeTexts = (signal: AbortSignal) => writeEvents(ctx, { actor, waiting, signal });
    const close = () => void names.off(actor.accountId, onEvent);
    return respondWithEvents({ ctx, request }, { place, writeTexts, close });
  },
});

/** Sends a test event to all who listen to the account, at no charge. */
export const sendTestEvent = defineRoute({
  method: 'POST',
  path: PATH,
  permission: PERMISSION,
  docs: {
    operationId: 'sendTestEvent',
    tag: 'jobs',
    summary: 'Send a test event to those who listen',
    description:
      'Makes up a job that has ended, with `test: true`, and sends it to the streams of this path that are open. Nothing runs, and nothing is charged. For keys without limits.',
    requestBody: describeBody(testSchema),
    responses: {
      '200': describeResponse(
        'The event was sent.',
        z.object({ request_id: z.string().meta({ description: 'The job in the event.' }) }),
      ),
      ...describeProblems(JSON_FAULTS),
    },
  },
  async handle({ ctx, request, actor }) {
    // 1. Authorize.
    assertUnlimited(actor);
    // 2. Parse.
    const body = parseJsonObject(await readBody(request, BODY_BYTES_MAX));
    annotateBody(request, body);
    const { outcome } = parseParams(testSchema, body);
    // 3. Send.
    const job = buildTestEvent(outcome);
    await announceEvent(ctx.db, actor.accountId, JSON.stringify(job));
    // 4. Respond.
    return jsonResponse(200, { request_id: job.request_id });
  },
});

interface Listener {
  readonly actor: Actor;
  /** Events that are still to be sent, in order. */
  readonly waiting: string[];
  readonly signal: AbortSignal;
}

async function* writeEvents(ctx: Context, { actor, waiting, signal }: Listener): AsyncGenerator<string> {
  yield ': listening\n\n';
  let sentAtMs = performance.now();
  let checkedAtMs = sentAtMs;
  while (!signal.aborted) {
    const isSilent = performance.now() - sentAtMs > HEARTBEAT_EVERY_MS;
    if (waiting.length === 0 && !isSilent) {
      await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
      continue;
    }
    if (performance.now() - checkedAtMs >= CHECK_EVERY_MS) {
      if (!(await isStillPermitted(ctx, actor, PERMISSION))) return;
      checkedAtMs = performance.now();
    }
    const event = waiting.shift();
    if (event === undefined) {
      yield ': heartbeat\n\n';
      sentAtMs = performance.now();
      continue;
    }
    const delivery = await signEvent(ctx, actor, event).catch((err) => {
      ctx.log.warn({ err, event: event.slice(0, 100) }, 'could not read an event of a stream');
    });
    if (!delivery) continue;
    const data = JSON.stringify(delivery);
    yield `event: delivery\nid: ${delivery.headers['webhook-id']}\ndata: ${data}\n\n`;
    sentAtMs = performance.now();
  }
}

/** Pause between two looks at what has arrived. */
const LOOK_EVERY_MS = 100;

/** Returns the webhook of an event: a stored delivery, a job that has ended, or a test. */
async function signEvent(ctx: Context, actor: Actor, event: string) {
  const isTest = event.startsWith('{');
  const isJob = !isTest && event.includes('_');
  const body = isTest
    ? event
    : isJob
      ? JSON.stringify(await getJob(ctx, nameJob(actor, event)))
      : await readDeliveryBody(ctx.db, event);
  if (body === undefined) return undefined;
  const id = isTest ? String(JSON.parse(event).request_id) : event;
  const secrets = await listActiveSecrets(ctx.db, actor.accountId);
  return { headers: createSignatureHeaders({ id, at: new Date(), body }, secrets), body };
}
