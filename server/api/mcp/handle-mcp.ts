import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CancelledNotificationSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { findByCommand } from '../../../models/core/operation/define-operation.ts';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, type MicroUsd, parseUsd } from '../../../models/core/operation/money.ts';
import { type Context, getOperations, type SpendingSession } from '../../base/context.ts';
import { getNotifications, notify } from '../../base/database/notifications.ts';
import { isSameText, signText } from '../../base/secrets/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { cancelJob } from '../../jobs/index.ts';
import { readApiKey } from '../account/authenticate-request.ts';
import { nameJob } from '../job-access.ts';
import type { Api } from '../route.ts';
import { getProcessLimits } from '../transport/process-limits.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from '../transport/read-request.ts';
import { annotateBody } from '../transport/request-log.ts';
import { listTools } from './list-tools.ts';
import { ApiRefusal, openOwnApi } from './own-api.ts';
import { buildError, FURTHER_TOOLS, runOperation, type ToolCall } from './tools.ts';

/** Header of the limit, in US dollars. */
const LIMIT_HEADER = 'X-Spending-Limit-USD';

/** Header that names the session, by the specification of the protocol. */
const SESSION_HEADER = 'mcp-session-id';

const SESSION_SECONDS = 86_400;

/** Limit of a session without one, in its token. */
const UNLIMITED = 'none';

const TOKEN = /^([\da-f-]{36})_(none|\d{1,12}(?:\.\d{1,6})?)_(\d{1,12})_([\w-]{43})$/;

/** Session of an agent: what it may spend, if there is a limit, and the name space of its calls. */
interface Session {
  readonly id: string;
  readonly limit: MicroUsd | null;
}

const SERVER_INFO = { name: 'darkroom', title: 'Darkroom', version: '1.0.0' };

const INSTRUCTIONS =
  'The tools of operations run as paid jobs on the file at a URL, and return the job once it has ended. "quote" tells the price first. Failed and canceled jobs cost nothing.';

/**
 * Handles POST /mcp: one message of the Model Context Protocol, by its streamable HTTP. No state lasts from one message
 * to the next but the token of a session with a spending limit.
 * @param handleApi runs the tools: they get no other way to jobs and money than requests have
 * @throws OperationError of the request's faults; `unauthorized` without a key
 */
export async function handleMcp(
  ctx: Context,
  request: Request,
  actor: Actor,
  handleApi: Api['handle'],
): Promise<Response> {
  const apiKey = readApiKey(request, 'bearer');
  if (!apiKey)
    throw new OperationError('unauthorized', 'Authorization: send your API key as a bearer token.');
  const message = await readMessage(ctx, request, actor);
  annotateBody(request, message);
  const isFirst = 'method' in message && message.method === 'initialize';
  const token = isFirst ? await beginSession(ctx, request, actor) : undefined;
  const session = isFirst ? undefined : await findSession(ctx, request, actor);
  if (session) await announceCancellation(ctx, session, message);
  const spendingSession = toSpendingSession(session);
  const inSession = spendingSession ? { ...ctx, spendingSession } : ctx;
  const caller = { ctx: inSession, handleApi, apiKey, request, signal: request.signal };
  const server = createServer(caller, actor, session);
  const transport = new WebStandardStreamableHTTPServerTransport({});
  await server.connect(transport);
  request.signal.addEventListener('abort', () => void server.close(), { once: true });
  const response = await transport.handleRequest(request, { parsedBody: message });
  if (token !== undefined && response.ok) response.headers.set(SESSION_HEADER, token);
  return response;
}

async function readMessage({ env }: Context, request: Request, { accountId }: Actor): Promise<object> {
  const room = getProcessLimits(env).acquireBody(accountId, 0);
  try {
    return parseJsonObject(await readBody(request, FIELDS_BYTES_MAX, room));
  } finally {
    room.release();
  }
}

function toSpendingSession(session: Session | undefined): SpendingSession | undefined {
  return session && session.limit !== null ? { id: session.id, limit: session.limit } : undefined;
}

function createServer(
  caller: Parameters<typeof openOwnApi>[0],
  actor: Actor,
  session: Session | undefined,
): Server {
  const { ctx } = caller;
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools(ctx) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const progressToken = params._meta?.progressToken;
    let reported = -1;
    const onProgress = (progress: number) => {
      // By the protocol it only grows, which a repeated attempt does not.
      if (progressToken === undefined || progress <= reported) return;
      reported = progress;
      const report = { progressToken, progress, total: 1 };
      void extra.sendNotification({ method: 'notifications/progress', params: report }).catch(() => {});
    };
    const watch = await watchCancellation(ctx, session, extra.requestId);
    const signal = AbortSignal.any([caller.signal, extra.signal, watch.signal]);
    const result = await callTool(params.name, {
      args: params.arguments ?? {},
      api: openOwnApi({ ...caller, signal }),
      operations: Object.values(getOperations(ctx)),
      onProgress,
      cancel: (requestId) => cancelLeft(ctx, actor, requestId),
    }).finally(watch.stop);
    if (result) return result;
    throw new McpError(ErrorCode.InvalidParams, `${params.name}: there is no such tool.`);
  });
  return server;
}

/**
 * Runs a tool. Refusals and failed jobs are results, so that the agent reads what is wrong.
 * @returns undefined for an unknown tool
 */
async function callTool(name: string, call: ToolCall): Promise<CallToolResult | undefined> {
  const further = FURTHER_TOOLS.find((tool) => tool.name === name);
  const operation = findByCommand(call.operations, name);
  try {
    if (further) return await further.run(call);
    return operation && (await runOperation(call, operation));
  } catch (thrown) {
    if (thrown instanceof ApiRefusal) return buildError(thrown.message, thrown.problem);
    if (!(thrown instanceof OperationError)) throw thrown;
    const { code, field, message } = thrown;
    return buildError(message, { message, code, ...(field !== undefined && { field }) });
  }
}

/** Cancels a job whose agent has canceled its call, or has left. A stop of the process itself cancels nothing. */
async function cancelLeft(ctx: Context, actor: Actor, requestId: string): Promise<void> {
  if (ctx.stopping?.aborted) return;
  await cancelJob(ctx, nameJob(actor, requestId)).catch((err) => {
    // It may have ended at the same time.
    ctx.log.debug({ err, requestId }, 'job of an agent that has left not canceled');
  });
}

/** Longest id of a message whose call can be canceled. */
const MESSAGE_ID_LENGTH_MAX = 200;

/** Tells all processes that an agent has canceled a call: one of them runs it. */
async function announceCancellation({ db }: Context, session: Session, message: object): Promise<void> {
  const { success, data } = CancelledNotificationSchema.safeParse(message);
  if (success) await notify(db, 'agent_canceled', nameCall(session, data.params.requestId));
}

/** Returns a signal that aborts once the agent cancels a call, until the watch is stopped. */
async function watchCancellation(
  { db }: Context,
  session: Session | undefined,
  id: string | number | undefined,
) {
  const canceled = new AbortController();
  if (!session) return { signal: canceled.signal, stop: () => {} };
  const name = nameCall(session, id);
  const cancel = () => canceled.abort();
  const names = await getNotifications(db, 'agent_canceled').catch(() => new EventEmitter());
  names.on(name, cancel);
  return { signal: canceled.signal, stop: () => void names.off(name, cancel) };
}

/** Names a call among those of all sessions. */
function nameCall({ id }: Session, messageId: string | number | undefined): string {
  return `${id}/${encodeURIComponent(String(messageId).slice(0, MESSAGE_ID_LENGTH_MAX))}`;
}

/**
 * Begins a session with the spending limit of a request, which a token carries: the service stores nothing of it but
 * the session of each job, so that sessions need no bound and hold on every machine.
 * @returns the token
 * @throws OperationError `bad_request` naming the header
 */
async function beginSession(ctx: Context, request: Request, actor: Actor): Promise<string> {
  const limit = readLimit(request);
  const expiresAt = Math.floor(Date.now() / 1000) + SESSION_SECONDS;
  const claims = [randomUUID(), limit === undefined ? UNLIMITED : formatUsd(limit), expiresAt].join('_');
  return `${claims}_${await sign(ctx, claims, actor)}`;
}

/**
 * Returns the session of a request after the first one; undefined where the agent names none.
 * @throws OperationError `not_found` when the session has ended or is another key's; `bad_request` for a limit without
 *   a session
 */
async function findSession(ctx: Context, request: Request, actor: Actor): Promise<Session | undefined> {
  const token = request.headers.get(SESSION_HEADER);
  const limit = readLimit(request);
  if (token === null) {
    if (limit === undefined) return undefined;
    throw fieldError('Mcp-Session-Id', `must come with ${LIMIT_HEADER}: send "initialize" first.`);
  }
  const [, id, own, expiresAt, signature] = TOKEN.exec(token) ?? [];
  const isKnown =
    id &&
    own &&
    expiresAt &&
    signature &&
    isSameText(signature, await sign(ctx, `${id}_${own}_${expiresAt}`, actor));
  if (!isKnown || Number(expiresAt) * 1000 <= Date.now()) {
    throw new OperationError(
      'not_found',
      'There is no such session, or it has ended. Send "initialize" again.',
    );
  }
  const granted = own === UNLIMITED ? null : parseUsd(own);
  const isLower = limit !== undefined && (granted === null || limit < granted);
  return { id, limit: isLower ? limit : granted };
}

function readLimit({ headers }: Request): MicroUsd | undefined {
  const text = headers.get(LIMIT_HEADER);
  if (text === null) return undefined;
  try {
    const limit = parseUsd(text);
    if (limit >= 0n) return limit;
  } catch {
    // Reported below, as a negative amount is.
  }
  throw fieldError(LIMIT_HEADER, 'must be an amount in US dollars, such as 2.50.');
}

/** Signs a session for one key of an account. */
function sign({ db }: Context, claims: string, { accountId, keyId }: Actor): Promise<string> {
  return signText(db, 'spending-sessions', `${claims} ${accountId} ${keyId}`);
}
