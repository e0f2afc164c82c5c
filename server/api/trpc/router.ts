import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { router } from './procedures/init.ts';
import { accountRouter } from './routers/account.ts';
import { healthRouter } from './routers/health.ts';
import { jobsRouter } from './routers/jobs.ts';
import { keysRouter } from './routers/keys.ts';
import { liveRouter } from './routers/live.ts';
import { paymentsRouter } from './routers/payments.ts';
import { requestsRouter } from './routers/requests.ts';
import { spendingRouter } from './routers/spending.ts';
import { teamRouter } from './routers/team.ts';
import { usageRouter } from './routers/usage.ts';
import { walletRouter } from './routers/wallet.ts';
import { webhooksRouter } from './routers/webhooks.ts';

/** All that the dashboard asks the server. */
export const appRouter = router({
  account: accountRouter,
  health: healthRouter,
  jobs: jobsRouter,
  keys: keysRouter,
  live: liveRouter,
  payments: paymentsRouter,
  requests: requestsRouter,
  spending: spendingRouter,
  team: teamRouter,
  usage: usageRouter,
  wallet: walletRouter,
  webhooks: webhooksRouter,
});

export type { Permission, Role } from '../../base/permissions.ts';
export type { JoinedAccount } from '../../identity/team/index.ts';
export type AppRouter = typeof appRouter;
/** Inputs and outputs of the calls, by router and procedure. */
export type CallInputs = inferRouterInputs<AppRouter>;
export type CallOutputs = inferRouterOutputs<AppRouter>;
