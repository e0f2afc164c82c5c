import { createHmac } from 'node:crypto';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { findForcedOutcome } from '../../../models/test-mode/forced-outcomes.ts';
import type { Context } from '../../base/context.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { OutageError } from '../../base/outage.ts';
import { removeEntry, removing } from '../../base/queue/index.ts';
import { decodeStoredSecret, encodeStoredSecret, webhookPurpose } from '../../base/secrets/index.ts';
import { inSpan, SPAN, type Span } from '../../base/tracer.ts';
import { addressRules, postJson } from '../fetching/index.ts';
import { nextAttemptAt, queueAttempt } from './queue-attempt.ts';

const { webhookSecrets: secrets } = schema;

/** Reason of an attempt that a test has forced to fail, whatever the receiver responded. */
const FORCED_ERROR = 'counts as failed: the address of the input forces it in this test job.';

/** Pause after such an attempt. */
export const FORCED_PAUSE_MS = 5_000;

const { deliveries, jobs } = schema;

type Delivery = typeof deliveries.$inferSelect;

/** Secret of an account, as the database has it. */
interface StoredSecret {
  readonly secret: string;
  /** Account whose it is: that of a sandbox. */
  readonly owner: string;
}

type SignedDelivery = Delivery & { readonly secrets: readonly StoredSecret[] };

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
    .select({
      delivery: deliveries,
      traceparent: jobs.traceparent,
      isTest: jobs.isTest,
      secrets: selectActiveSecrets(sql`webhook_deliveries.account_id`),
    })
    .from(deliveries)
    .leftJoin(jobs, eq(jobs.id, deliveries.reference))
    .where(and(eq(deliveries.id, deliveryId), eq(deliveries.state, 'pending')));
  if (!found) return await removeEntry(ctx.db, deliveryId);
  const { delivery, traceparent, isTest, secrets } = found;
  const { reference, attempts } = delivery;
  const attributes = { 'darkroom.request_id': reference, 'darkroom.attempt': attempts + 1 };
  await inSpan(
    ctx,
    SPAN.deliver,
    (inner, span) => deliver(inner, { ...delivery, secrets }, { span, isTest: isTest === true }),
    {
      kind: 'client',
      parent: traceparent,
      attributes,
    },
  );
}

async function deliver(
  ctx: Context,
  delivery: SignedDelivery,
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

async function attempt(ctx: Context, { id, url, body, secrets: stored }: SignedDelivery): Promise<Outcome> {
  const secrets = stored.map(openSecret);
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
  const isRecorded = next
    ? await ctx.db.transaction(async (tx) => {
        const isFirst = await writeOutcome(tx, delivery, { ...outcome, state, next });
        if (isFirst) await queueAttempt(tx, delivery, next);
        return isFirst;
      })
    : await writeOutcome(ctx.db, delivery, { ...outcome, state, next });
  return isRecorded ? state : 'overtaken';
}

/**
 * Writes the outcome of an attempt in one statement, which also removes the entry of the queue where no attempt follows.
 * @returns false when another worker has recorded the same attempt: then nothing is written
 */
async function writeOutcome(
  db: Executor,
  { id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
  { state, next, ...outcome }: Outcome & { readonly state: Delivery['state']; readonly next: Date | null },
): Promise<boolean> {
  const { at, durationMs, responseStatus, responseBody, error } = outcome;
  const removed = next ? sql`` : sql`, removed as (${removing(id)} and exists (select from recorded))`;
  const recorded = await db.execute(sql`
    with recorded as (
      update webhook_deliveries
      set state = ${state}, attempts = attempts + 1, next_attempt_at = ${next?.toISOString() ?? null}
      where id = ${id}::uuid and attempts = ${attempts} returning id, attempts
    ), noted as (
      insert into webhook_delivery_attempts (delivery_id, attempt, at, duration_ms, response_status, response_body, error)
      select id, attempts, ${at.toISOString()}::timestamptz, ${durationMs}::int, ${responseStatus}::int,
        ${responseBody}::text, ${error}::text from recorded
    ) ${removed}
    select from recorded`);
  return recorded.length > 0;
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
  const [row] = await db.execute<{ secrets: StoredSecret[] }>(
    readOnly(sql`select ${selectActiveSecrets(sql`${accountId}::uuid`)} as secrets`),
  );
  return (row?.secrets ?? []).map(openSecret);
}

/**
 * Selects the active secrets of an account, newest first.
 * @param accountId with its table, where it is a column
 */
function selectActiveSecrets(accountId: SQL): SQL<StoredSecret[]> {
  return sql`(select coalesce(json_agg(json_build_object('secret', s.secret, 'owner', s.account_id) order by s.created_at desc), '[]')
    from accounts owned join webhook_secrets s on s.account_id = coalesce(owned.sandbox_of, owned.id)
    where owned.id = ${accountId} and (s.expires_at is null or s.expires_at > now()))`;
}

function openSecret({ secret, owner }: StoredSecret): string {
  return decodeStoredSecret(Buffer.from(secret), webhookPurpose(owner)).toString();
}

/** Returns the row that stores a secret of an account. */
export function buildWebhookSecretRow(accountId: string, secret: string): typeof secrets.$inferInsert {
  return { accountId, secret: encodeStoredSecret(Buffer.from(secret), webhookPurpose(accountId)).toString() };
}
