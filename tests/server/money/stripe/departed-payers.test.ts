import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { openAccount } from '../../../../server/identity/accounts/index.ts';
import { stopTopUpsOfFormerMembers } from '../../../../server/identity/team/index.ts';
import {
  chargeAutomaticTopUps,
  createCheckout,
  deleteRetiredCustomers,
  findAutomaticTopUp,
  stopAutomaticTopUps,
} from '../../../../server/money/stripe/index.ts';
import { createMailLog } from '../../../support/servers/mail-log.ts';
import { type StandInStripe, startStandInStripe } from '../../../support/servers/stripe.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';

const DOLLAR = 1_000_000n;

const { memberships, users } = schema;
let stripe: StandInStripe;
let api: TestApi;
beforeAll(async () => {
  stripe = await startStandInStripe();
  api = await startApi(stripe.environment, '0');
});
afterAll(async () => {
  await api.close();
  await stripe.close();
});

let people = 0;
/** Creates a person with an account of their own. */
async function createPerson(name: string) {
  const email = `${name}-${++people}@example.com`;
  const { accountId } = await openAccount(api.ctx.db, email);
  const [user] = await api.ctx.db
    .insert(users)
    .values({ accountId, email, name })
    .returning({ userId: users.id });
  return { accountId, email, userId: user?.userId ?? '' };
}

/** Opens an account that a billing member of it tops up automatically. */
async function openPaidAccount() {
  const [owner, payer, developer] = [
    await createPerson('owner'),
    await createPerson('payer'),
    await createPerson('developer'),
  ];
  const { accountId } = owner;
  await api.ctx.db.insert(memberships).values([
    { accountId, userId: payer.userId, role: 'billing' },
    { accountId, userId: developer.userId, role: 'developer' },
  ]);
  const { url } = await createCheckout(api.ctx, {
    accountId,
    email: payer.email,
    amount: 6n * DOLLAR,
    automatic: { payerId: payer.userId, threshold: 500n * DOLLAR, amount: 10n * DOLLAR },
    idempotencyKey: accountId,
    returnPath: '/dashboard/top-up',
  });
  const before = stripe.events.length;
  await fetch(url.replace('/pay/', '/paid/'), { redirect: 'manual' });
  for (const { body, signature } of stripe.events.slice(before)) {
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
    await api.call('POST', '/api/stripe/webhook', { body: new TextEncoder().encode(body), headers });
  }
  return { owner, payer, accountId };
}

const CHANGES = {
  'has left the account': (accountId: string, userId: string) =>
    api.ctx.db
      .delete(memberships)
      .where(and(eq(memberships.accountId, accountId), eq(memberships.userId, userId))),
  'may top up no more': (accountId: string, userId: string) =>
    api.ctx.db
      .update(memberships)
      .set({ role: 'developer' })
      .where(and(eq(memberships.accountId, accountId), eq(memberships.userId, userId))),
  'is gone from the service': (_: string, userId: string) =>
    api.ctx.db.delete(users).where(eq(users.id, userId)),
};

test.each(Object.entries(CHANGES))('a card is charged no more once its person %s', async (_, change) => {
  const { db } = api.ctx;
  const { owner, payer, accountId } = await openPaidAccount();
  const mails = createMailLog();
  const ctx = { ...api.ctx, log: mails.log };
  const customers = stripe.customers.size;
  expect(await stopTopUpsOfFormerMembers(ctx)).toBe(0);
  expect(await findAutomaticTopUp(db, accountId)).toMatchObject({ amount: 10n * DOLLAR });

  await change(accountId, payer.userId);
  expect(await chargeAutomaticTopUps(ctx)).toBe(0);
  expect(await stopTopUpsOfFormerMembers(ctx)).toBe(1);
  expect(await findAutomaticTopUp(db, accountId)).toBeNull();
  expect(await stopTopUpsOfFormerMembers(ctx)).toBe(0);
  expect(await deleteRetiredCustomers(ctx)).toBe(1);
  expect(stripe.customers.size).toBe(customers - 1);

  const sent = mails.lines.flatMap((line) => JSON.parse(line).mail ?? []);
  expect(sent).toMatchObject([
    { to: owner.email, text: expect.stringContaining(`account ${owner.email} at Darkroom have ended`) },
  ]);
  const events = await db
    .select()
    .from(schema.auditEvents)
    .where(eq(schema.auditEvents.accountId, accountId));
  expect(events).toMatchObject([{ action: 'payments.payerLeft', userId: null }]);
});

test('a card is charged while its person may pay', async () => {
  await openPaidAccount();
  expect(await chargeAutomaticTopUps(api.ctx)).toBe(1);
});

test('the end of top-ups and the deletion of their account wait for each other', async () => {
  const { db } = api.ctx;
  const { accountId, payer } = await openPaidAccount();
  await CHANGES['has left the account'](accountId, payer.userId);
  const isWaiting = async () => (await db.execute(sql`select from pg_locks where not granted`)).length > 0;
  let ending: Promise<number> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from accounts where id = ${accountId} for update`);
    ending = stopTopUpsOfFormerMembers(api.ctx);
    await expect.poll(isWaiting).toBe(true);
    await stopAutomaticTopUps(tx, accountId);
  });
  expect(await ending).toBe(0);
});
