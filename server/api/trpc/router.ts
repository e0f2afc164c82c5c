import { setTimeout } from 'node:timers/promises';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, parseUsd } from '../../../models/core/operation/money.ts';
import { listPermissions } from '../../base/permissions.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import { listAuditActors, listAuditEvents, listCharges } from '../../identity/accounts/index.ts';
import {
  deleteToken,
  issueKey,
  type KeySummary,
  listKeys,
  listTokens,
  revokeKey,
  rotateKey,
} from '../../identity/keys/index.ts';
import { findMailTransport } from '../../io/mail.ts';
import { readSpending, setAccountCap, setEventUrl } from '../../money/spending/index.ts';
import { assertPassword } from '../account/assert-password.ts';
import { deleteAccount } from '../account/delete-account.ts';
import { countUsageReport } from '../routes/get-usage.ts';
import { getProcessLimits } from '../transport/process-limits.ts';
import { readAccountState } from './account-state.ts';
import { modeProcedure, ownProcedure, router, serviceOwnerProcedure } from './init.ts';
import {
  accountCapInput,
  activityInput,
  deleteAccountInput,
  eventUrlInput,
  keyInput,
  newKeyInput,
  rotateKeyInput,
  tokenInput,
  usageInput,
} from './inputs.ts';
import { jobsRouter } from './jobs.ts';
import { paymentsRouter } from './payments.ts';
import { readHealth } from './read-health.ts';
import { requestsRouter } from './requests.ts';
import { teamRouter } from './team.ts';
import { walletRouter } from './wallet.ts';
import { assertReceiver, webhooksRouter } from './webhooks.ts';

const accountRouter = router({
  me: ownProcedure('account.see').query(({ ctx: { ctx, visitor } }) => {
    const { userId, accountId, name, email, sessionId, role } = visitor;
    return {
      userId,
      accountId,
      name,
      email,
      sessionId,
      role,
      permissions: listPermissions(role),
      isMailLogged: findMailTransport(ctx.env) === 'log',
    };
  }),
  /** Lists the actions of the account's people, or of one of them, newest first. */
  activity: ownProcedure('account.see')
    .input(activityInput)
    .query(async ({ ctx: { ctx, accountId }, input }) => {
      const after = input.cursor == null ? undefined : BigInt(input.cursor);
      const { userId, limit } = input;
      const { events, next } = await listAuditEvents(ctx.db, { accountId, userId, after, limit });
      return {
        events: events.map(({ id, createdAt, ...event }) => ({
          ...event,
          id: String(id),
          createdAt: createdAt.toISOString(),
        })),
        next: next === null ? null : String(next),
      };
    }),
  /** Lists the people of the log, former members too. */
  actors: ownProcedure('account.see').query(({ ctx: { ctx, accountId } }) =>
    listAuditActors(ctx.db, accountId),
  ),
  /** Deletes the account for ever. Takes its address and the password again. */
  delete: ownProcedure('account.change')
    .input(deleteAccountInput)
    .mutation(async ({ ctx, input }) => {
      if (input.email.trim().toLowerCase() !== ctx.visitor.email) {
        throw new OperationError('bad_request', 'email: is not your address.');
      }
      const { email, userId } = ctx.visitor;
      await assertPassword(ctx.ctx, ctx, { email, password: input.password });
      await deleteAccount(ctx.ctx, ctx.accountId, userId);
    }),
});

const keysRouter = router({
  list: modeProcedure('keys.see').query(async ({ ctx: { ctx, accountId } }) => {
    return (await listKeys(ctx.db, accountId)).toReversed().map(showKey);
  }),
  /** Returns the key itself, which cannot be shown again. */
  create: modeProcedure('keys.change')
    .input(newKeyInput)
    .mutation(({ ctx: { ctx, accountId, visitor }, input }) => {
      const { name, operations, monthlyCapUsd, expiresAt } = input;
      return issueKey(ctx.db, {
        accountId,
        name,
        createdBy: visitor.userId,
        ...(operations && { operations }),
        ...(monthlyCapUsd !== undefined && { monthlyCap: parseUsd(monthlyCapUsd) }),
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
      });
    }),
  /** Returns a key like the old one, which works for some hours more. */
  rotate: modeProcedure('keys.change')
    .input(rotateKeyInput)
    .mutation(({ ctx: { ctx, accountId, visitor }, input: { keyId, graceHours } }) =>
      ctx.db.transaction((tx) => rotateKey(tx, { accountId, keyId }, graceHours, visitor.userId)),
    ),
  revoke: modeProcedure('keys.change')
    .input(keyInput)
    .mutation(({ ctx: { ctx, accountId }, input: { keyId } }) => revokeKey(ctx.db, { accountId, keyId })),
  /** Lists the tokens of all keys that work now, newest first. */
  tokens: modeProcedure('keys.see').query(async ({ ctx: { ctx, accountId } }) =>
    (await listTokens(ctx.db, accountId)).map(({ max, spent, createdAt, expiresAt, ...token }) => ({
      ...token,
      maxUsd: formatUsd(max),
      spentUsd: formatUsd(spent),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  ),
  endToken: modeProcedure('keys.change')
    .input(tokenInput)
    .mutation(({ ctx: { ctx, accountId }, input: { tokenId } }) =>
      deleteToken(ctx.db, { accountId }, tokenId),
    ),
});

const CHECK_EVERY_MS = 1_000;

/** After this the page connects again, with a session that must still be valid. */
const STREAM_MS_MAX = 15 * 60_000;

const liveRouter = router({
  /** Yields the state of the account, and again whenever it has changed. */
  states: modeProcedure('account.see').subscription(async function* ({
    ctx: { ctx, accountId, visitor },
    signal,
  }) {
    const ended = createTimeoutSignal(STREAM_MS_MAX, signal, ctx.stopping);
    const place = getProcessLimits(ctx.env).streams.acquire(accountId, 1);
    try {
      let known: string | null | undefined;
      while (!ended.aborted) {
        const now = await readAccountState(ctx.db, visitor, accountId).catch(() => known);
        if (now !== known && now !== undefined) yield { state: now };
        // The page asks again for what it shows, and hears that it may not.
        if (now === null) return;
        known = now;
        await setTimeout(CHECK_EVERY_MS, undefined, { signal: ended }).catch(() => {});
      }
    } finally {
      place.release();
    }
  }),
});

const DAYS_MAX = 366;

const usageRouter = router({
  /** Charges by day, model and key; amounts are micro-USD as text, for sums. */
  spending: ownProcedure('account.see')
    .input(usageInput)
    .query(async ({ ctx: { ctx, accountId }, input: { from, to } }) => {
      const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
      if (days < 0 || days > DAYS_MAX) {
        throw new OperationError('bad_request', `from: must be at most ${DAYS_MAX} days before to.`);
      }
      await countUsageReport(ctx, accountId);
      const [rows, keys] = await Promise.all([
        listCharges(ctx.db, { accountId, from, to }),
        listKeys(ctx.db, accountId),
      ]);
      const names = new Map(keys.map(({ keyId, name, prefix }) => [keyId, `${name} (${prefix})`]));
      return rows.map(({ keyId, charged, ...row }) => ({
        ...row,
        key: keyId === null ? 'Studio' : (names.get(keyId) ?? 'Deleted key'),
        chargedMicroUsd: String(charged),
      }));
    }),
});

const spendingRouter = router({
  /** Cap and event address of the account, and what it has spent in this month. */
  settings: ownProcedure('account.see').query(async ({ ctx: { ctx, accountId } }) => {
    const { monthlyCap, eventUrl, reserved, charged } = await readSpending(ctx.db, accountId);
    return {
      monthlyCapUsd: monthlyCap === null ? null : formatUsd(monthlyCap),
      eventUrl,
      reservedUsd: formatUsd(reserved),
      chargedUsd: formatUsd(charged),
    };
  }),
  setCap: ownProcedure('money.change')
    .input(accountCapInput)
    .mutation(({ ctx: { ctx, accountId }, input: { amountUsd } }) =>
      setAccountCap(ctx.db, accountId, amountUsd === null ? null : parseUsd(amountUsd)),
    ),
  setEventUrl: ownProcedure('money.change')
    .input(eventUrlInput)
    .mutation(async ({ ctx: { ctx, accountId }, input: { url } }) => {
      if (url !== null) await assertReceiver(ctx, accountId, url);
      await setEventUrl(ctx.db, accountId, url);
    }),
});

const healthRouter = router({
  /** The state of the whole service now: processes, queue, failures, deliveries, storage, models and settings. */
  overview: serviceOwnerProcedure.query(({ ctx: { ctx } }) => readHealth(ctx)),
});

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

function showKey({ monthlyCap, spent, createdAt, expiresAt, revokedAt, lastUsedAt, ...key }: KeySummary) {
  const isExpired = expiresAt !== null && expiresAt.getTime() <= Date.now();
  return {
    ...key,
    state: revokedAt ? ('revoked' as const) : isExpired ? ('expired' as const) : ('active' as const),
    monthlyCapUsd: monthlyCap === null ? null : formatUsd(monthlyCap),
    spentUsd: formatUsd(spent),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
