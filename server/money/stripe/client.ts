import Stripe from 'stripe';
import { buildOnce } from '../../../models/core/build-once.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Env } from '../../base/env.ts';

const TIMEOUT_MS = 10_000;

/** Reports whether wallets can be filled by Stripe. */
export function isStripeConfigured({ STRIPE_SECRET_KEY }: Env): boolean {
  return STRIPE_SECRET_KEY !== undefined;
}

/**
 * Returns the client of Stripe's API, one for each process.
 * @throws OperationError `unavailable` when no key is set
 */
export const getStripe = buildOnce(({ STRIPE_SECRET_KEY, STRIPE_API_BASE }: Env): Stripe => {
  if (!STRIPE_SECRET_KEY) {
    throw new OperationError('unavailable', 'Payments are not set up here: STRIPE_SECRET_KEY is missing.');
  }
  return new Stripe(STRIPE_SECRET_KEY, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(STRIPE_API_BASE && parseApiAddress(new URL(STRIPE_API_BASE))),
  });
});

function parseApiAddress({ protocol, hostname, port }: URL) {
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: Number(port || (isPlain ? 80 : 443)),
  };
}
