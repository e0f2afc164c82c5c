/** A payment as the stand-in holds it. Amounts in cents. */
export interface Payment {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Record<string, string>;
  readonly customer: string | null;
  readonly created: number;
  charge: 'none' | 'pending' | 'succeeded' | 'failed';
  refunded: number;
  disputes: { id: string; amount: number; status: string }[];
}

/** Returns a payment's charge as Stripe shows it. */
export function getCharge({ id, amount, charge, refunded, disputes }: Payment) {
  return {
    id: `ch_${id}`,
    object: 'charge',
    payment_intent: id,
    status: charge,
    amount,
    amount_captured: charge === 'succeeded' ? amount : 0,
    amount_refunded: refunded,
    disputed: disputes.length > 0,
    receipt_url: `https://pay.stripe.com/receipts/${id}`,
  };
}

/** Returns a payment as the payment intent that Stripe shows. */
export function getIntent(payment: Payment) {
  const { id, amount, currency, metadata, customer, created, charge } = payment;
  return {
    id,
    object: 'payment_intent',
    amount,
    currency,
    metadata,
    customer,
    created,
    payment_method: customer ? 'pm_1' : null,
    status: charge === 'succeeded' ? 'succeeded' : 'requires_payment_method',
    latest_charge: charge === 'none' ? null : getCharge(payment),
  };
}

/** Returns the last dispute about a payment as Stripe shows it. */
export function getDispute({ id, disputes }: Payment) {
  return { ...disputes.at(-1), object: 'dispute', payment_intent: id };
}
