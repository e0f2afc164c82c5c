import Stripe from 'stripe';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { handleEvent } from '../../money/stripe/index.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { readText } from '../transport/read-request.ts';

const BODY_BYTES_MAX = 1_000_000;

/** Stripe sends from a few addresses, and many events at a time after a pause. */
const RATE = { counts: 'events from this address', perSecond: 50, burst: 500 };

/** An event that Stripe has signed. Anything but 200 makes Stripe send it again. */
export const receiveStripeEvent = defineRoute({
  method: 'POST',
  path: '/stripe/webhook',
  audience: 'operators',
  bucket: 'stripe',
  rate: RATE,
  async handle({ ctx, request }) {
    const signature = request.headers.get('stripe-signature') ?? '';
    const body = await readText(request, BODY_BYTES_MAX);
    try {
      await handleEvent(ctx, body, signature);
    } catch (cause) {
      if (!(cause instanceof Stripe.errors.StripeError)) throw cause;
      const message = 'Stripe did not respond. Send the event again later.';
      throw new OperationError('unavailable', message, { cause });
    }
    return jsonResponse(200, { received: true });
  },
});
