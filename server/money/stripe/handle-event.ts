import { lt, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { fieldError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { getStripe } from './client.ts';
import { syncPayment } from './sync-payment.ts';

/** Stripe sends an event again for 3 days, and by hand for 30. */
const KEEP_DAYS = 60;

/**
 * Acts on an event of Stripe. It is noted in the transaction that moves the money, so it moves once; the payment is
 * fetched again, so events may come late or out of order. An event of a payment that Stripe does not know changes
 * nothing.
 * @param body as it was received: the signature covers its bytes
 * @throws OperationError `bad_request` for a wrong signature, `unavailable` without keys; Stripe.errors.StripeError
 * when
 *   Stripe does not respond, and nothing is noted: Stripe sends the event again
 */
export async function handleEvent(ctx: Context, body: string, signature: string): Promise<void> {
  const event = readEvent(ctx, body, signature);
  const paymentId = findPaymentId(event);
  if (paymentId === undefined) return;
  const synced = syncPayment(ctx, paymentId, (tx) => recordEvent(tx, event));
  const outcome = await synced.catch((thrown: unknown) => {
    if (isUnknownObject(thrown)) return 'unknown' as const;
    throw thrown;
  });
  // Sent again, the event would find no more: it may be of another mode, or of deleted test data.
  if (outcome === 'unknown') {
    ctx.log.warn(
      { event: event.id, type: event.type, paymentId },
      'Stripe does not know the payment of an event',
    );
  }
  if (outcome === 'foreign') {
    ctx.log.warn({ event: event.id, type: event.type, paymentId }, 'a payment names no account of ours');
  }
}

function readEvent({ env }: Context, body: string, signature: string): Stripe.Event {
  const stripe = getStripe(env);
  try {
    return stripe.webhooks.constructEvent(body, signature, env.STRIPE_WEBHOOK_SECRET ?? '');
  } catch (cause) {
    throw fieldError('Stripe-Signature', 'does not fit the body and our secret.', {
      cause,
    });
  }
}

/** Reports whether Stripe responded that it does not know the object. */
function isUnknownObject(thrown: unknown): boolean {
  return thrown instanceof Stripe.errors.StripeError && thrown.code === 'resource_missing';
}

/** Returns whether the event is new. */
async function recordEvent(tx: Tx, { id, type }: Stripe.Event): Promise<boolean> {
  const noted = await tx
    .insert(schema.paymentEvents)
    .values({ id, type })
    .onConflictDoNothing()
    .returning({ id: schema.paymentEvents.id });
  return noted.length > 0;
}

/** Returns the payment that an event is about: intents, charges, refunds, disputes and checkouts name it. */
function findPaymentId({ data: { object } }: Stripe.Event): string | undefined {
  if ('object' in object && object.object === 'payment_intent') return object.id;
  const named = 'payment_intent' in object ? object.payment_intent : undefined;
  return typeof named === 'string' ? named : (named?.id ?? undefined);
}

/** Deletes the notes of events that can no longer come again. */
export async function purgeEvents({ db }: Context): Promise<void> {
  const { paymentEvents } = schema;
  const oldest = sql`now() - make_interval(days => ${KEEP_DAYS})`;
  await db.delete(paymentEvents).where(lt(paymentEvents.receivedAt, oldest));
}
