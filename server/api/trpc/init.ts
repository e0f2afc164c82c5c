import { initTRPC, TRPCError } from '@trpc/server';
import { type ErrorCode, OperationError } from '../../../models/core/operation/errors.ts';
import { assertStorable } from '../../../models/core/operation/storable-text.ts';
import type { Context } from '../../base/context.ts';
import { findOutage } from '../../base/outage.ts';
import { assertPermitted, type Permission } from '../../base/permissions.ts';
import { inSpan, type Span } from '../../base/tracer.ts';
import { recordAuditEvent } from '../../identity/accounts/index.ts';
import { isServiceOwner, type Visitor } from '../../identity/auth/index.ts';
import { redactReceiver } from '../../identity/request-log/index.ts';
import { CLIENT_ADDRESS } from '../transport/client-address.ts';
import { takeToken } from '../transport/rate-limit.ts';
import { findModeAccount, isInTestMode } from './account-state.ts';

/** Context of a call: the server's, and who is signed in. */
export interface CallContext {
  readonly ctx: Context;
  readonly visitor: Visitor | null;
  /** Headers of the request. */
  readonly headers: Headers;
}

/** Right to a call. */
export interface CallMeta {
  /** Permission that the role of the caller must have, or `service`: only the owner of the service may call. */
  readonly permission: Permission | 'service';
}

const PING_MS = 15_000;

const t = initTRPC
  .context<CallContext>()
  .meta<CallMeta>()
  .create({
    sse: {
      ping: { enabled: true, intervalMs: PING_MS },
      client: { reconnectAfterInactivityMs: 3 * PING_MS },
    },
    isDev: false,
  });

const CODES: Readonly<Partial<Record<ErrorCode, TRPCError['code']>>> = {
  bad_request: 'BAD_REQUEST',
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  too_many_requests: 'TOO_MANY_REQUESTS',
  insufficient_balance: 'PAYMENT_REQUIRED',
  unavailable: 'SERVICE_UNAVAILABLE',
};

/** Writes a span for each call, named after its procedure. Several calls may share a request. */
const traceCalls = t.middleware(async ({ ctx, path, next }) => {
  const call = async (inner: Context, span: Span | undefined) => {
    const log = span ? inner.log.child({ traceId: span.traceId }) : inner.log;
    const result = await next({ ctx: { ...ctx, ctx: { ...inner, log } } });
    if (!result.ok) span?.fail(result.error.code);
    return result;
  };
  return await inSpan(ctx.ctx, `dashboard ${path}`, call, { kind: 'server' });
});

const INTERNAL = 'An error occurred on our side. Try again.';

/** Words faults of ours without their details, which are logged. */
const mapErrors = t.middleware(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok) return result;
  const { cause: thrown } = result.error;
  const cause = findOutage(thrown) ?? thrown;
  if (cause instanceof OperationError) {
    throw new TRPCError({ code: CODES[cause.code] ?? 'BAD_REQUEST', message: cause.message });
  }
  if (result.error.code !== 'INTERNAL_SERVER_ERROR') return result;
  ctx.ctx.log.error({ err: cause ?? result.error, path }, 'dashboard call failed');
  throw new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: INTERNAL });
});

/** Lets only signed-in people through whose role permits the call, at the rate of an API key. */
const requirePermission = t.middleware(async ({ ctx, meta, path, next }) => {
  const { visitor } = ctx;
  if (!visitor) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in to see this.' });
  const { allowed } = await takeToken(ctx.ctx, visitor.sessionId);
  if (!allowed)
    throw new TRPCError({ code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Wait a moment.' });
  if (!meta) throw new Error(`${path} names no permission`);
  if (meta.permission !== 'service') assertPermitted(visitor.role, meta.permission);
  return await next({ ctx: { ...ctx, visitor, accountId: visitor.accountId } });
});

/** Lets only the owner of the service through. */
const requireServiceOwner = t.middleware(async ({ ctx, next }) => {
  const { visitor } = ctx;
  if (visitor && (await isServiceOwner(ctx.ctx, visitor))) return await next();
  throw new TRPCError({ code: 'FORBIDDEN', message: 'Only the owner of this service may see this.' });
});

/** Refuses text that cannot be stored, in whichever field: the schemas of the inputs need not think of it. */
const requireStorableInput = t.middleware(async ({ getRawInput, next }) => {
  assertStorable(await getRawInput());
  return await next();
});

/** Fields of inputs that say what a call changes: none of them is a secret, but a URL may hold one. */
const SUBJECTS = ['id', 'keyId', 'deliveryId', 'name', 'amountUsd', 'url'] as const;

/** Logs what an account's people change, for themselves to look at. */
const recordMutations = t.middleware(async ({ ctx, type, path, getRawInput, next }) => {
  const result = await next();
  const { visitor } = ctx;
  if (type !== 'mutation' || !result.ok || !visitor || isRecordedElsewhere(path)) return result;
  const { accountId, userId } = visitor;
  const event = { accountId, userId, action: path, subject: findSubject(await getRawInput()) };
  const address = ctx.headers.get(CLIENT_ADDRESS);
  // What was done is done: the caller must not take it for a failure.
  await recordAuditEvent(ctx.ctx.db, { ...event, address }).catch((err: unknown) =>
    ctx.ctx.log.error({ err, path }, 'audit event not recorded'),
  );
  return result;
});

/** Changes of a team are recorded with them, in the account that they are about. A deleted account has no log. */
function isRecordedElsewhere(path: string): boolean {
  return path === 'account.delete' || path.startsWith('team.');
}

function findSubject(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const fields: Readonly<Partial<Record<(typeof SUBJECTS)[number], unknown>>> = input;
  const found = SUBJECTS.map((field) => fields[field]);
  const subject = found.find((value) => typeof value === 'string');
  return subject && redactReceiver(subject);
}

export const { router } = t;
const memberProcedure = t.procedure
  .use(traceCalls)
  .use(mapErrors)
  .use(requirePermission)
  .use(requireStorableInput)
  .use(recordMutations);

/** Returns a procedure of the account that the caller's session shows: it sees nothing of any other. */
export const ownProcedure = (permission: Permission) => memberProcedure.meta({ permission });
/** Returns a procedure about jobs, keys or deliveries: those of the account, or of its test keys. */
export const modeProcedure = (permission: Permission) =>
  ownProcedure(permission).use(async ({ ctx, next }) => {
    const accountId = await findModeAccount(ctx.ctx.db, ctx.accountId, ctx.headers);
    return await next({ ctx: { isTest: isInTestMode(ctx.headers), accountId } });
  });
/** Procedure of the owner of the service, about all accounts. */
export const serviceOwnerProcedure = memberProcedure.meta({ permission: 'service' }).use(requireServiceOwner);
