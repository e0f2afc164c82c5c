import { randomUUID } from 'node:crypto';
import { appRouter } from '../../../server/api/trpc/router.ts';
import type { Context } from '../../../server/base/context.ts';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import type { Visitor } from '../../../server/identity/auth/index.ts';
import { topUp } from '../../../server/money/wallet/index.ts';
import type { TestApi } from './api.ts';

/** Calls the dashboard's procedures as the user of a new account, which holds 5 USD. */
export async function openDashboard({ ctx }: Pick<TestApi, 'ctx'>, name: string) {
  // Its own for each try of a test.
  const email = `${randomUUID()}-${name}`;
  const { accountId } = await openAccount(ctx.db, email);
  await topUp(ctx.db, { accountId, amount: 5_000_000n, idempotencyKey: email, reference: 'test' });
  const [user] = await ctx.db.insert(schema.users).values({ accountId, email, name: 'Ada' }).returning();
  const userId = user?.id ?? '';
  const visitor: Visitor = { userId, accountId, role: 'owner', sessionId: randomUUID(), name: 'Ada', email };
  /** Calls them in another context of the same database. */
  const callIn = (other: Context) => appRouter.createCaller({ ctx: other, visitor, headers: new Headers() });
  return { accountId, email, call: callIn(ctx), callIn };
}

/** Submits a conversion of an image by a new key of the account. @returns the id of its job */
export async function submitConversion(
  api: Pick<TestApi, 'call' | 'imageUrl'>,
  call: Awaited<ReturnType<typeof openDashboard>>['call'],
): Promise<string> {
  const { apiKey } = await call.keys.create({ name: 'jobs' });
  const { body } = await api.call('POST', '/api/media-tools/v1/image-convert', {
    body: { image_url: api.imageUrl, to_format: 'webp' },
    headers: { 'ocp-apim-subscription-key': apiKey },
  });
  return body.request_id;
}
