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
  /** Awaited before the next response is sent: it says how things stood before. */
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
  const ledger = new Ledger();
  const requests: string[] = [];
  const standIn: StandInStripe = {
    environment: { STRIPE_SECRET_KEY: 'sk_test_standin', STRIPE_WEBHOOK_SECRET: SECRET },
    requests,
    customers: ledger.customers,
    secondsAhead: 0,
    isDown: false,
    declines: undefined,
    delay: undefined,
    payments: ledger.payments,
    events: ledger.events,
    deliverTo(url) {
      ledger.receiver = url;
    },
    ...getActions(ledger),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const { pathname, searchParams } = new URL(url, 'http://stripe');
    requests.push(`${method} ${pathname}`);
    const form = await getForm(incoming);
    const page = !standIn.isDown && pageAt(pathname, standIn, ledger);
    if (page) return outgoing.writeHead(page.status, page.headers).end(page.text);
    const { status, body } = standIn.isDown
      ? { status: 500, body: { error: { type: 'api_error', message: 'down' } } }
      : respond({ method, pathname, searchParams, form }, standIn, ledger);
    const text = JSON.stringify(body);
    const { delay } = standIn;
    standIn.delay = undefined;
    await delay;
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  standIn.environment.STRIPE_API_BASE = `http://127.0.0.1:${port}`;
  return standIn;
}

/** Payments and what has happened to them. */
class Ledger {
  readonly payments = new Map<string, Payment>();
  readonly events: SignedEvent[] = [];
  readonly customers = new Set<string>();
  /** Time at which a checkout was opened, in seconds, by its payment. */
  readonly opened = new Map<string, number>();
  readonly pages = new Map<string, { readonly done: string; readonly left: string }>();
  receiver: string | undefined;
  count = 0;
  readonly #signer = new Stripe('sk_test_signer');

  /** @throws Error when there is no such payment */
  of(id: string): Payment {
    const found = this.payments.get(id);
    if (!found) throw new Error(`no payment ${id}`);
    return found;
  }

  begin(amount: number, metadata: Record<string, string>, customer: string | null = null): string {
    this.count += 1;
    const id = `pi_${this.count}`;
    const created = Math.floor(Date.now() / 1000);
    const money = { amount, currency: 'usd', refunded: 0, disputes: [] };
    this.payments.set(id, { id, ...money, metadata, customer, created, charge: 'none' });
    return id;
  }

  /** Signs an event, and sends it to the receiver. */
  emit(type: string, object: Record<string, unknown>): void {
    this.count += 1;
    const id = `evt_${this.count}`;
    const body = JSON.stringify({ id, object: 'event', type, created: 1_790_000_000, data: { object } });
    const signature = this.#signer.webhooks.generateTestHeaderString({ payload: body, secret: SECRET });
    this.events.push({ id, type, body, signature });
    const headers = { 'stripe-signature': signature };
    if (this.receiver) void fetch(this.receiver, { method: 'POST', body, headers });
  }
}

type Actions = Pick<
  StandInStripe,
  'begin' | 'pay' | 'payLater' | 'fail' | 'refund' | 'dispute' | 'endDispute'
>;

/** Returns what the payer and the bank do. */
function getActions(ledger: Ledger): Actions {
  const emitSession = (type: string, id: string, status: 'paid' | 'unpaid') =>
    ledger.emit(type, {
      id: `cs_${id}`,
      object: 'checkout.session',
      payment_intent: id,
      payment_status: status,
    });
  const emitCharge = (type: string, id: string) => ledger.emit(type, { ...getCharge(ledger.of(id)) });
  return {
    begin: (amount, metadata) => ledger.begin(amount, metadata),
    pay(id) {
      ledger.of(id).charge = 'succeeded';
      ledger.emit('payment_intent.succeeded', { ...getIntent(ledger.of(id)) });
      emitSession('checkout.session.completed', id, 'paid');
      emitCharge('charge.succeeded', id);
    },
    payLater(id) {
      ledger.of(id).charge = 'pending';
      emitSession('checkout.session.completed', id, 'unpaid');
    },
    fail(id) {
      ledger.of(id).charge = 'failed';
      ledger.emit('payment_intent.payment_failed', { ...getIntent(ledger.of(id)) });
      emitSession('checkout.session.async_payment_failed', id, 'unpaid');
    },
    refund(id, amount) {
      const payment = ledger.of(id);
      payment.refunded = Math.min(payment.amount, payment.refunded + amount);
      emitCharge('charge.refunded', id);
    },
    dispute(id, amount) {
      const { disputes } = ledger.of(id);
      disputes.push({ id: `dp_${id}_${disputes.length}`, amount, status: 'needs_response' });
      ledger.emit('charge.dispute.created', { ...getDispute(ledger.of(id)) });
    },
    endDispute(id, status) {
      const dispute = ledger.of(id).disputes.at(-1);
      if (dispute) dispute.status = status;
      ledger.emit('charge.dispute.closed', { ...getDispute(ledger.of(id)) });
    },
  };
}

/** Returns the page at which a payer pays or has paid; undefined where the path is no payer's. */
function pageAt(pathname: string, standIn: StandInStripe, { pages }: Ledger) {
  const [, paying = ''] = /^\/(?:pay|paid)\/(\w+)$/.exec(pathname) ?? [];
  const page = pages.get(paying);
  if (page && pathname.startsWith('/paid/')) {
    standIn.pay(paying);
    return { status: 303, headers: { location: page.done }, text: '' };
  }
  const links = `<a href="/paid/${paying}">Pay</a> <a href="${page?.left}">Back</a>`;
  return page && { status: 200, headers: { 'content-type': 'text/html' }, text: links };
}

interface StripeRequest {
  readonly method: string;
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
  readonly form: URLSearchParams;
}

interface StripeAnswer {
  readonly status: number;
  readonly body: unknown;
}

function respond(request: StripeRequest, standIn: StandInStripe, ledger: Ledger): StripeAnswer {
  const { method, pathname, searchParams } = request;
  if (method === 'POST' && pathname === '/v1/checkout/sessions')
    return openCheckout(request, standIn, ledger);
  if (method === 'POST' && pathname === '/v1/payment_intents') return payAtOnce(request, standIn, ledger);
  const payment = searchParams.get('payment_intent') ?? '';
  if (pathname === '/v1/checkout/sessions') {
    const { opened } = ledger;
    return getList(opened.has(payment) ? [{ id: `cs_${payment}`, created: opened.get(payment) }] : []);
  }
  if (pathname === '/v1/disputes') return getList(ledger.of(payment).disputes);
  const [, customer = ''] = /^\/v1\/customers\/(\w+)$/.exec(pathname) ?? [];
  if (method === 'DELETE' && ledger.customers.delete(customer)) {
    return { status: 200, body: { id: customer, object: 'customer', deleted: true } };
  }
  const [, id = ''] = /^\/v1\/payment_intents\/(\w+)$/.exec(pathname) ?? [];
  const found = ledger.payments.get(id);
  if (found) return { status: 200, body: getIntent(found) };
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: pathname };
  return { status: 404, body: { error } };
}

function openCheckout({ form }: StripeRequest, standIn: StandInStripe, ledger: Ledger): StripeAnswer {
  const metadata = getMetadata(form, 'payment_intent_data[metadata]');
  const amount = Number(form.get('line_items[0][price_data][unit_amount]'));
  const customer = form.get('customer_creation') === 'always' ? `cus_${ledger.count}` : null;
  if (customer) ledger.customers.add(customer);
  const id = ledger.begin(amount, metadata, customer);
  ledger.opened.set(id, Math.floor(Date.now() / 1000) + standIn.secondsAhead);
  ledger.pages.set(id, { done: form.get('success_url') ?? '', left: form.get('cancel_url') ?? '' });
  const url = `${standIn.environment.STRIPE_API_BASE}/pay/${id}`;
  return { status: 200, body: { id: `cs_${id}`, object: 'checkout.session', url } };
}

function payAtOnce({ form }: StripeRequest, standIn: StandInStripe, ledger: Ledger): StripeAnswer {
  const { declines } = standIn;
  if (declines) {
    const error = { type: 'card_error', code: 'card_declined', message: declines };
    return { status: 402, body: { error } };
  }
  const id = ledger.begin(Number(form.get('amount')), getMetadata(form, 'metadata'), form.get('customer'));
  standIn.pay(id);
  return { status: 200, body: getIntent(ledger.of(id)) };
}

const getList = (data: readonly unknown[]): StripeAnswer => ({
  status: 200,
  body: { object: 'list', has_more: false, data },
});

async function getForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function getMetadata(form: URLSearchParams, name: string): Record<string, string> {
  const entries = [...form].filter(([key]) => key.startsWith(`${name}[`));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]));
}

/** Returns a payment's charge as Stripe shows it. */
function getCharge({ id, amount, charge, refunded, disputes }: Payment) {
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
function getIntent(payment: Payment) {
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
function getDispute({ id, disputes }: Payment) {
  return { ...disputes.at(-1), object: 'dispute', payment_intent: id };
}
