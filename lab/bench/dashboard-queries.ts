import { randomUUID } from 'node:crypto';
import { appRouter } from '../../server/api/trpc/router.ts';
import type { Context } from '../../server/base/context.ts';
import { schema } from '../../server/base/database/db.ts';
import { listCharges } from '../../server/identity/accounts/index.ts';

/** Queries by name. */
export type Queries = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Lists what the dashboard asks for an account, as a person of it who is added here. Charges are read without the call
 * around them, which has a limit on its rate.
 */
export async function listDashboardQueries(ctx: Context, accountId: string): Promise<Queries> {
  const person = { email: `${randomUUID()}@example.com`, name: 'Bench' };
  const [user] = await ctx.db
    .insert(schema.users)
    .values({ accountId, ...person })
    .returning();
  const visitor = {
    userId: user?.id ?? '',
    accountId,
    role: 'owner',
    sessionId: randomUUID(),
    ...person,
  } as const;
  const call = appRouter.createCaller({ ctx, visitor, headers: new Headers() });
  const { jobs } = await call.jobs.list({ limit: 1 });
  return {
    'wallet.summary': () => call.wallet.summary(),
    'wallet.ledger': () => call.wallet.ledger({ limit: 100 }),
    'wallet.ledger of credits': () => call.wallet.ledger({ only: 'credits', limit: 100 }),
    'wallet.ledger of an operation': () => call.wallet.ledger({ operation: 'upscale', limit: 100 }),
    'jobs.list': () => call.jobs.list({ limit: 100 }),
    'jobs.list of a status': () => call.jobs.list({ statuses: ['FAILED'], limit: 100 }),
    'jobs.list of a model': () => call.jobs.list({ modelId: 'upscale', limit: 100 }),
    'jobs.get': () => call.jobs.get({ id: jobs[0]?.id ?? '' }),
    'charges of a month': () => listCharges(ctx.db, { accountId, from: daysAgo(30), to: daysAgo(0) }),
    'charges of a year': () => listCharges(ctx.db, { accountId, from: daysAgo(365), to: daysAgo(0) }),
    'webhooks.deliveries': () => call.webhooks.deliveries({ limit: 100 }),
    'payments.list': () => call.payments.list(),
    'keys.list': () => call.keys.list(),
  };
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
