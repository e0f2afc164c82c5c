import { OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, type MicroUsd, parseUsd } from '../../../models/core/operation/money.ts';
import type { Context } from '../../base/context.ts';
import { getStripe } from './client.ts';
import { METADATA, toCents } from './payment-state.ts';

const TOP_UP_MIN = parseUsd('5');
const TOP_UP_MAX = parseUsd('1000');

interface CheckoutRequest {
  readonly accountId: string;
  readonly email: string;
  /** From `TOP_UP_MIN` to `TOP_UP_MAX`, in whole cents. */
  readonly amount: MicroUsd;
  /**
   * Saves the payment method, and tops up by `amount` whenever less than `threshold` is available, while the person
   * `payerId` may pay for the account.
   */
  readonly automatic?: {
    readonly payerId: string;
    readonly threshold: MicroUsd;
    readonly amount: MicroUsd;
  };
  /** Key of the checkout: a form that is sent twice opens one. */
  readonly idempotencyKey: string;
  /** Page of ours to come back to, with `?checkout=done` or `?checkout=left`. */
  readonly returnPath: `/${string}`;
}

/**
 * Opens a page of Stripe where the owner pays.
 * @returns its URL, and the id of the checkout
 * @throws OperationError `bad_request` for an amount out of range, `unavailable` without keys;
 * Stripe.errors.StripeError
 */
export async function createCheckout(
  { env }: Context,
  { accountId, email, amount, automatic, idempotencyKey, returnPath }: CheckoutRequest,
): Promise<{ id: string; url: string }> {
  assertAmount('amount', amount);
  if (automatic) {
    assertAmount('automatic.amount', automatic.amount);
    if (automatic.threshold <= 0n || automatic.threshold > TOP_UP_MAX) {
      throw new OperationError(
        'bad_request',
        `automatic.threshold: must be above 0 and at most ${formatUsd(TOP_UP_MAX)}.`,
      );
    }
  }
  const page = new URL(returnPath, env.PUBLIC_URL);
  const back = (outcome: string) => `${page.href}?checkout=${outcome}`;
  const { id, url } = await getStripe(env).checkout.sessions.create(
    {
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: toCents(amount),
            product_data: { name: 'Credit for Darkroom' },
          },
        },
      ],
      customer_email: email,
      customer_creation: automatic ? 'always' : 'if_required',
      client_reference_id: accountId,
      payment_intent_data: {
        metadata: {
          [METADATA.accountId]: accountId,
          ...(automatic && {
            [METADATA.payerId]: automatic.payerId,
            [METADATA.threshold]: String(automatic.threshold),
            [METADATA.amount]: String(automatic.amount),
          }),
        },
        receipt_email: email,
        ...(automatic && { setup_future_usage: 'off_session' as const }),
      },
      success_url: back('done'),
      cancel_url: back('left'),
    },
    { idempotencyKey: `checkout ${accountId} ${idempotencyKey}` },
  );
  if (!url) throw new OperationError('internal', 'Stripe gave no address of its page.');
  return { id, url };
}

function assertAmount(field: string, amount: MicroUsd): void {
  const isWhole = amount % 10_000n === 0n;
  if (isWhole && amount >= TOP_UP_MIN && amount <= TOP_UP_MAX) return;
  const range = `${formatUsd(TOP_UP_MIN)} to ${formatUsd(TOP_UP_MAX)} USD`;
  throw new OperationError('bad_request', `${field}: must be ${range}, in whole cents.`);
}
