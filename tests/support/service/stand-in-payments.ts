import { expect } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { readBalance } from '../../../server/money/wallet/index.ts';
import { type SignedEvent, type StandInStripe, startStandInStripe } from '../servers/stripe.ts';
import { startApi, type TestApi } from './api.ts';

const CENT = 10_000n;

/**
 * Creates payments of a service to a stand-in for Stripe.
 * @returns `start` starts both; the other functions need them
 */
export function createPayments() {
  let stripe: StandInStripe;
  let api: TestApi;
  let people = 0;
  let newest = '';
  const deliver = ({ body, signature }: Pick<SignedEvent, 'body' | 'signature'>) =>
    api.call('POST', '/api/stripe/webhook', {
      body: new TextEncoder().encode(body),
      headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
    });
  async function deliverAll(events: readonly SignedEvent[]): Promise<void> {
    for (const event of events) expect((await deliver(event)).status).toBe(200);
  }
  /** Opens an account without a person. */
  async function openEmptyAccount() {
    people += 1;
    const email = `payer-${people}@example.com`;
    return { email, ...(await openAccount(api.ctx.db, email)) };
  }
  return {
    async start() {
      stripe = await startStandInStripe();
      api = await startApi(stripe.environment, '0');
      return { api, stripe };
    },
    async close(): Promise<void> {
      await api.close();
      await stripe.close();
    },
    openEmptyAccount,
    /** Opens an account with the person who pays. Stripe responds again, and the bank pays. */
    async openPayer() {
      stripe.isDown = false;
      stripe.declines = undefined;
      const { email, accountId } = await openEmptyAccount();
      const person = { accountId, email, name: 'Ada' };
      const [user] = await api.ctx.db.insert(schema.users).values(person).returning({ id: schema.users.id });
      newest = accountId;
      return { accountId, payerId: user?.id ?? '' };
    },
    deliver,
    deliverAll,
    /** Runs an action at Stripe, and returns the events that it caused. */
    getEvents(act: () => void): readonly SignedEvent[] {
      const before = stripe.events.length;
      act();
      return stripe.events.slice(before);
    },
    /** Pays a checkout at its page, and delivers the events. */
    async payCheckout(url: string): Promise<void> {
      const before = stripe.events.length;
      await fetch(url.replace('/pay/', '/paid/'), { redirect: 'manual' });
      await deliverAll(stripe.events.slice(before));
    },
    /** Reads a balance in cents: that of the newest payer by default. */
    async cents(accountId = newest): Promise<number> {
      return Number((await readBalance(api.ctx.db, accountId)).balance / CENT);
    },
  };
}
