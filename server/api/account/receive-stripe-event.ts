import Stripe from 'stripe';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context/context.ts';
import { handleEvent } from '../../money/stripe/index.ts';
import type { BucketRate } from '../limits/rate-limit.ts';
import { jsonResponse } from '../transport/problem.ts';
import { readText } from '../transport/read-text.ts';

const BODY_BYTES_MAX = 1_000_000;

/** Stripe sends from a few addresses, and many events at a time after a pause. */
export const STRIPE_RATE: BucketRate = { perSecond: 50, burst: 500 };

/** Handles `POST /api/stripe/webhook`: an event that Stripe has signed. Anything but 200 makes Stripe send it again. */
export async function receiveStripeEvent(ctx: Context, request: Request): Promise<Response> {
  const signature = request.headers.get('stripe-signature') ?? '';
  const body = await readText(request, BODY_BYTES_MAX);
  try {
    await handleEvent(ctx, body, signature);
  } catch (cause) {
    if (!(cause instanceof Stripe.errors.StripeError)) throw cause;
    throw new OperationError('unavailable', 'Stripe did not answer. Send the event again later.', { cause });
  }
  return jsonResponse(200, { received: true });
}
