import { createHmac } from 'node:crypto';
import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { findForcedOutcome } from '../../../models/test-mode/forced-outcomes.ts';
import type { Context } from '../../base/context/context.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { OutageError } from '../../base/outage.ts';
import { removeEntry } from '../../base/queue/index.ts';
import { decodeStoredSecret, encodeStoredSecret, webhookPurpose } from '../../base/secrets/index.ts';
import { inSpan, SPAN, type Span } from '../../base/tracing/index.ts';
import { addressRules, postJson } from '../fetching/index.ts';
import { nextAttemptAt, queueAttempt } from './queue-attempt.ts';

const { accounts, webhookSecrets: secrets } = schema;

/** Reason of an attempt that a test has forced to fail, whatever the receiver responded. */
const FORCED_ERROR = 'counts as failed: the address of the input forces it in this test job.';

/** Pause after such an attempt. */
export const FORCED_PAUSE_MS = 5_000;

const { deliveries, deliveryAttempts, jobs } = schema;

type Delivery = typeof deliveries.$inferSelect;

/** Outcome of one attempt; `error` is null after a delivery. */
interface Outcome {
  readonly at: Date;
  readonly durationMs: number;
  /** null without a response. */
  readonly responseStatus: number | null;
  /** Start of the response; null without one. */
  readonly responseBody: string | null;
  readonly error: string | null;
}

const TIMEOUT_MS = 15_000;

/** Status by which a receiver ends deliveries. */
const GONE_STATUS = 410;

/**
 * Makes one attempt at a delivery that the queue has due. A failed attempt queues the next one itself; only faults of
 * our own are thrown, for the queue to retry. After a crash the attempt is repeated: a receiver may get the same
 * `webhook-id` twice, but never not at all.
 */
export async function deliverWebhook(ctx: Context, deliveryId: string): Promise<void> {
  const [found] = await ctx.db
    .select({ delivery: deliveries, traceparent: jobs.traceparent, isTest: jobs.isTest })
    .from(deliveries)
    .leftJoin(jobs, eq(jobs.id, deliveries.reference))
    .where(and(eq(deliveries.id, deliveryId), eq(deliveries.state, 'pending')));
  if (!found) return await removeEntry(ctx.db, deliveryId);
  const { delivery, traceparent, isTest } = found;
  const { reference, attempts } = delivery;
  const attributes = { 'darkroom.request_id': reference, 'darkroom.attempt': attempts + 1 };
  await inSpan(
    ctx,
    SPAN.deliver,
    (inner, span) => deliver(inner, delivery, { span, isTest: isTest === true }),
    {
      kind: 'client',
      parent: traceparent,
      attributes,
    },
  );
}

async function deliver(
  ctx: Context,
  delivery: Delivery,
  { span, isTest }: { readonly span: Span | undefined; readonly isTest: boolean },
): Promise<void> {
  const made = await attempt(ctx, delivery);
  const isForced = isTest && delivery.attempts === 0 && (await isForcedToFail(ctx.db, delivery.reference));
  const outcome = isForced ? { ...made, error: FORCED_ERROR } : made;
  const state = await record(ctx, delivery, outcome, isForced ? FORCED_PAUSE_MS : undefined);
  const { id: deliveryId, reference, attempts } = delivery;
  const { durationMs, responseStatus, error } = outcome;
  span?.set({ 'darkroom.outcome': state });
  if (responseStatus !== null) span?.set({ 'http.response.status_code': responseStatus });
  if (error !== null) span?.fail(responseStatus === null ? 'no_response' : String(responseStatus));
  const traceId = span?.traceId;
  ctx.log.info(
    { traceId, deliveryId, reference, attempt: attempts + 1, durationMs, responseStatus, error, state },
    'webhook attempt',
  );
}

async function attempt(ctx: Context, { id, accountId, url, body }: Delivery): Promise<Outcome> {
  const secrets = await listActiveSecrets(ctx.db, accountId);
  const at = new Date();
  const startedAtMs = performance.now();
  const outcome = (given: Omit<Outcome, 'at' | 'durationMs'>): Outcome => {
    return { at, durationMs: Math.round(performance.now() - startedAtMs), ...given };
  };
  try {
    const { status, start } = await postJson(url, {
      body,
      headers: createSignatureHeaders({ id, at, body }, secrets),
      timeoutMs: TIMEOUT_MS,
      ...addressRules(ctx.env),
    });
    return outcome({ responseStatus: status, responseBody: start, error: describeFault(status) });
  } catch (thrown) {
    if (!(thrown instanceof OperationError) || thrown instanceof OutageError) throw thrown;
    return outcome({ responseStatus: null, responseBody: null, error: thrown.message });
  }
}

function describeFault(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === GONE_STATUS) return 'responded with status 410: no further attempts.';
  if (status >= 300 && status < 400) return `responded with status ${status}: redirects are not followed.`;
  return `responded with status ${status} instead of 2xx.`;
}

/**
 * Records the attempt and its consequence, unless another worker has recorded the same attempt.
 * @param pauseMs before the next attempt; that of the schedule when absent
 */
async function record(
  ctx: Context,
  delivery: Delivery,
  outcome: Outcome,
  pauseMs?: number,
): Promise<Delivery['state'] | 'overtaken'> {
  const attempts = delivery.attempts + 1;
  const ended = outcome.error === null || (outcome.responseStatus === GONE_STATUS && pauseMs === undefined);
  const nextAt = pauseMs === undefined ? nextAttemptAt(attempts, new Date()) : new Date(Date.now() + pauseMs);
  const next = ended ? null : nextAt;
  const state = outcome.error === null ? 'delivered' : next ? 'pending' : 'failed';
  return await ctx.db.transaction(async (tx) => {
    const [recorded] = await tx
      .update(deliveries)
      .set({ state, attempts, nextAttemptAt: next })
      .where(and(eq(deliveries.id, delivery.id), eq(deliveries.attempts, delivery.attempts)))
      .returning({ id: deliveries.id });
    if (!recorded) return 'overtaken';
    await tx.insert(deliveryAttempts).values({ deliveryId: delivery.id, attempt: attempts, ...outcome });
    await (next ? queueAttempt(tx, delivery, next) : removeEntry(tx, delivery.id));
    return state;
  });
}

/**
 * Builds the headers of Standard Webhooks (https://www.standardwebhooks.com): one signature per valid secret, so that
 * a receiver may hold the old or the new one during rotation.
 * @param secrets `whsec_` and base64
 */
export function createSignatureHeaders(
  message: { readonly id: string; readonly at: Date; readonly body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = Math.floor(message.at.getTime() / 1000);
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/** Reports whether the address of a test job's input forces the first delivery of its webhook to fail. */
async function isForcedToFail(db: Executor, jobId: string): Promise<boolean> {
  const { files } = schema;
  const inputs = await db
    .select({ url: files.sourceUrl })
    .from(files)
    .where(and(eq(files.jobId, jobId), eq(files.role, 'input')));
  return inputs.some(({ url }) => url !== null && findForcedOutcome(url) === 'webhook-failed');
}

/**
 * Returns the secrets that currently sign an account's webhooks (`whsec_...`), newest first: two during rotation. A
 * sandbox has those of its account.
 */
export async function listActiveSecrets(db: Executor, accountId: string): Promise<string[]> {
  const rows = await db
    .select({ secret: secrets.secret, owner: secrets.accountId })
    .from(accounts)
    .innerJoin(secrets, eq(secrets.accountId, sql`coalesce(${accounts.sandboxOf}, ${accounts.id})`))
    .where(and(eq(accounts.id, accountId), or(isNull(secrets.expiresAt), gt(secrets.expiresAt, sql`now()`))))
    .orderBy(desc(secrets.createdAt));
  return rows.map(({ secret, owner }) =>
    decodeStoredSecret(Buffer.from(secret), webhookPurpose(owner)).toString(),
  );
}

/** Returns the row that stores a secret of an account. */
export function buildWebhookSecretRow(accountId: string, secret: string): typeof secrets.$inferInsert {
  return { accountId, secret: encodeStoredSecret(Buffer.from(secret), webhookPurpose(accountId)).toString() };
}
