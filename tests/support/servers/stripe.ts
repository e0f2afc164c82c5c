import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

/** A payment as the stand-in holds it. Amounts in cents. */
interface Payment {
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

/** Stripe's HTTP interface as far as we use it, with the payer's and the bank's side as functions. */
export interface StandInStripe {
  readonly environment: Record<string, string>;
  /** Seconds that its clock is ahead. */
  secondsAhead: number;
  /** Payers that exist. */
  readonly customers: ReadonlySet<string>;
  /** Requests by method and path, in order. */
  readonly requests: readonly string[];
  /** Makes every request fail with 500 while set. */
  isDown: boolean;
  /** Makes off-session payments fail with this message of the bank. */
  declines: string | undefined;
  /** Awaited before the next answer is sent: it says how things stood before. */
  delay: Promise<void> | undefined;
  readonly payments: ReadonlyMap<string, Payment>;
  /** Begins a payment as a checkout does. */
  begin(amount: number, metadata: Record<string, string>): string;
  pay(id: string): void;
  /** Waits for a bank, and then fails or succeeds. */
  payLater(id: string): void;
  fail(id: string): void;
  refund(id: string, amount: number): void;
  dispute(id: string, amount: number): void;
  endDispute(id: string, status: 'won' | 'lost'): void;
  /** Sends every event from now on to a URL as soon as it happens. */
  deliverTo(url: string): void;
  /** Signed events in the order in which they happened. */
  readonly events: readonly SignedEvent[];
  close(): Promise<void>;
}

export interface SignedEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly signature: string;
}

const SECRET = 'whsec_standin';

/** Starts a stand-in on loopback. */
export async function startStandInStripe(): Promise<StandInStripe> {
  const payments = new Map<string, Payment>();
  const events: SignedEvent[] = [];
  const requests: string[] = [];
  const customers = new Set<string>();
  const opened = new Map<string, number>();
  const pages = new Map<string, { readonly done: string; readonly left: string }>();
  const signer = new Stripe('sk_test_signer');
  let count = 0;
  let receiver: string | undefined;
  const emit = (type: string, object: Record<string, unknown>) => {
    count += 1;
    const id = `evt_${count}`;
    const body = JSON.stringify({ id, object: 'event', type, created: 1_790_000_000, data: { object } });
    const signature = signer.webhooks.generateTestHeaderString({ payload: body, secret: SECRET });
    events.push({ id, type, body, signature });
    if (receiver) void fetch(receiver, { method: 'POST', body, headers: { 'stripe-signature': signature } });
  };
  const of = (id: string) => {
    const found = payments.get(id);
    if (!found) throw new Error(`no payment ${id}`);
    return found;
  };
  const begin = (amount: number, metadata: Record<string, string>, customer: string | null = null) => {
    count += 1;
    const id = `pi_${count}`;
    const created = Math.floor(Date.now() / 1000);
    payments.set(id, {
      id,
      amount,
      currency: 'usd',
      metadata,
      customer,
      created,
      charge: 'none',
      refunded: 0,
      disputes: [],
    });
    return id;
  };
  const emitCharge = (type: string, id: string) => emit(type, { ...chargeOf(of(id)) });
  const standIn: StandInStripe = {
    environment: { STRIPE_SECRET_KEY: 'sk_test_standin', STRIPE_WEBHOOK_SECRET: SECRET },
    requests,
    customers,
    secondsAhead: 0,
    isDown: false,
    declines: undefined,
    delay: undefined,
    payments,
    events,
    begin,
    deliverTo(url) {
      receiver = url;
    },
    pay(id) {
      of(id).charge = 'succeeded';
      emit('payment_intent.succeeded', { ...intentOf(of(id)) });
      emit('checkout.session.completed', {
        id: `cs_${id}`,
        object: 'checkout.session',
        payment_intent: id,
        payment_status: 'paid',
      });
      emitCharge('charge.succeeded', id);
    },
    payLater(id) {
      of(id).charge = 'pending';
      emit('checkout.session.completed', {
        id: `cs_${id}`,
        object: 'checkout.session',
        payment_intent: id,
        payment_status: 'unpaid',
      });
    },
    fail(id) {
      of(id).charge = 'failed';
      emit('payment_intent.payment_failed', { ...intentOf(of(id)) });
      emit('checkout.session.async_payment_failed', {
        id: `cs_${id}`,
        object: 'checkout.session',
        payment_intent: id,
        payment_status: 'unpaid',
      });
    },
    refund(id, amount) {
      const payment = of(id);
      payment.refunded = Math.min(payment.amount, payment.refunded + amount);
      emitCharge('charge.refunded', id);
    },
    dispute(id, amount) {
      of(id).disputes.push({ id: `dp_${id}_${of(id).disputes.length}`, amount, status: 'needs_response' });
      emit('charge.dispute.created', { ...disputeOf(of(id)) });
    },
    endDispute(id, status) {
      const dispute = of(id).disputes.at(-1);
      if (dispute) dispute.status = status;
      emit('charge.dispute.closed', { ...disputeOf(of(id)) });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    requests.push(`${method} ${url.replace(/\?.*/, '')}`);
    const answer = async (status: number, body: unknown) => {
      const text = JSON.stringify(body);
      const { delay } = standIn;
      standIn.delay = undefined;
      await delay;
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text);
    };
    const form = await formOf(incoming);
    if (standIn.isDown) return answer(500, { error: { type: 'api_error', message: 'down' } });
    const { pathname, searchParams } = new URL(url, 'http://stripe');
    const [, paying = ''] = /^\/(?:pay|paid)\/(\w+)$/.exec(pathname) ?? [];
    const page = pages.get(paying);
    if (page && pathname.startsWith('/paid/')) {
      standIn.pay(paying);
      return outgoing.writeHead(303, { location: page.done }).end();
    }
    if (page) {
      const links = `<a href="/paid/${paying}">Pay</a> <a href="${page.left}">Back</a>`;
      return outgoing.writeHead(200, { 'content-type': 'text/html' }).end(links);
    }
    if (method === 'POST' && pathname === '/v1/checkout/sessions') {
      const metadata = metadataOf(form, 'payment_intent_data[metadata]');
      const amount = Number(form.get('line_items[0][price_data][unit_amount]'));
      const customer = form.get('customer_creation') === 'always' ? `cus_${count}` : null;
      if (customer) customers.add(customer);
      const id = begin(amount, metadata, customer);
      opened.set(id, Math.floor(Date.now() / 1000) + standIn.secondsAhead);
      pages.set(id, { done: form.get('success_url') ?? '', left: form.get('cancel_url') ?? '' });
      const url = `${standIn.environment.STRIPE_API_BASE}/pay/${id}`;
      return answer(200, { id: `cs_${id}`, object: 'checkout.session', url });
    }
    if (method === 'POST' && pathname === '/v1/payment_intents') {
      if (standIn.declines) {
        return answer(402, {
          error: { type: 'card_error', code: 'card_declined', message: standIn.declines },
        });
      }
      const id = begin(Number(form.get('amount')), metadataOf(form, 'metadata'), form.get('customer'));
      standIn.pay(id);
      return answer(200, intentOf(of(id)));
    }
    if (pathname === '/v1/checkout/sessions') {
      const id = searchParams.get('payment_intent') ?? '';
      const data = opened.has(id) ? [{ id: `cs_${id}`, created: opened.get(id) }] : [];
      return answer(200, { object: 'list', has_more: false, data });
    }
    const [, customer = ''] = /^\/v1\/customers\/(\w+)$/.exec(pathname) ?? [];
    if (method === 'DELETE' && customers.delete(customer)) {
      return answer(200, { id: customer, object: 'customer', deleted: true });
    }
    if (pathname === '/v1/disputes') {
      const { disputes } = of(searchParams.get('payment_intent') ?? '');
      return answer(200, { object: 'list', has_more: false, data: disputes });
    }
    const [, id = ''] = /^\/v1\/payment_intents\/(\w+)$/.exec(pathname) ?? [];
    const payment = payments.get(id);
    if (payment) return answer(200, intentOf(payment));
    return answer(404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: url } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  standIn.environment.STRIPE_API_BASE = `http://127.0.0.1:${port}`;
  return standIn;
}

function chargeOf({ id, amount, charge, refunded, disputes }: Payment) {
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

function intentOf(payment: Payment) {
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
    latest_charge: charge === 'none' ? null : chargeOf(payment),
  };
}

function disputeOf({ id, disputes }: Payment) {
  return { ...disputes.at(-1), object: 'dispute', payment_intent: id };
}

async function formOf(incoming: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function metadataOf(form: URLSearchParams, name: string): Record<string, string> {
  const entries = [...form].filter(([key]) => key.startsWith(`${name}[`));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]));
}
