import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import {
  findByCommand,
  getCommand,
  type Operation,
} from '../../../models/core/operation/define-operation.ts';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import { formatUsd, type MicroUsd, parseUsd } from '../../../models/core/operation/money.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { type Context, getOperations, type SpendingSession } from '../../base/context/context.ts';
import { getServiceSecret } from '../../base/secrets/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { readApiKey } from '../account/authenticate-request.ts';
import { getProcessLimits } from '../limits/process-limits.ts';
import type { Api } from '../route.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from '../transport/read-request.ts';
import { annotateBody } from '../transport/request-log.ts';
import { getSchema, listTools, quoteSchema } from './list-tools.ts';
import { ApiRefusal, type OwnApi, openOwnApi } from './own-api.ts';

/** Header of the limit, in US dollars. */
const LIMIT_HEADER = 'X-Spending-Limit-USD';

/** Header that names the session, by the specification of the protocol. */
const SESSION_HEADER = 'mcp-session-id';

const SESSION_SECONDS = 86_400;

const TOKEN = /^([\da-f-]{36})_(\d{1,12}(?:\.\d{1,6})?)_(\d{1,12})_([\w-]{43})$/;

interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly api: OwnApi;
  readonly operations: readonly Operation[];
  /** @param progress of the job, 0 to 1 */
  readonly onProgress: (progress: number) => void;
}

const SERVER_INFO = { name: 'darkroom', title: 'Darkroom', version: '1.0.0' };

const INSTRUCTIONS =
  'Each tool runs as a paid job on the file at a URL, and returns the job once it has ended. "quote" tells the price first. Failed jobs cost nothing.';

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
  const inSession = session ? { ...ctx, spendingSession: session } : ctx;
  const server = createServer({ ctx: inSession, handleApi, apiKey, request, signal: request.signal });
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

function createServer(caller: Parameters<typeof openOwnApi>[0]): Server {
  const { ctx } = caller;
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools(ctx) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const progressToken = params._meta?.progressToken;
    let reported = -1;
    const onProgress = (progress: number) => {
      // By the protocol it only grows, which a repeated attempt does not.
      if (progressToken === undefined || progress <= reported) return;
      reported = progress;
      const report = { progressToken, progress, total: 1 };
      void sendNotification({ method: 'notifications/progress', params: report }).catch(() => {});
    };
    const result = await callTool({
      name: params.name,
      args: params.arguments ?? {},
      api: openOwnApi({ ...caller, signal: AbortSignal.any([caller.signal, signal]) }),
      operations: Object.values(getOperations(ctx)),
      onProgress,
    });
    if (result) return result;
    throw new McpError(ErrorCode.InvalidParams, `${params.name}: there is no such tool.`);
  });
  return server;
}

/**
 * Runs a tool. Refusals and failed jobs are results, so that the agent reads what is wrong.
 * @returns undefined for an unknown tool
 */
async function callTool(call: ToolCall): Promise<CallToolResult | undefined> {
  const run = findTool(call);
  if (!run) return undefined;
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof ApiRefusal) return buildError(thrown.message, thrown.problem);
    if (!(thrown instanceof OperationError)) throw thrown;
    const { code, field, message } = thrown;
    return buildError(message, { message, code, ...(field !== undefined && { field }) });
  }
}

function findTool(call: ToolCall): (() => Promise<CallToolResult>) | undefined {
  const { name, args } = call;
  if (name === 'quote') return () => quote(call);
  if (name === 'get') return () => waitForJob(call, parseParams(getSchema, args).request_id);
  const operation = findByCommand(call.operations, name);
  return operation && (() => runOperation(call, operation));
}

async function runOperation(call: ToolCall, { path }: Operation): Promise<CallToolResult> {
  const accepted = await call.api.post<{ request_id: string }>(path, call.args, { prefer: 'respond-async' });
  const { request_id } = accepted;
  try {
    return await waitForJob(call, request_id);
  } catch (thrown) {
    if (!(thrown instanceof ApiRefusal)) throw thrown;
    // The job is accepted and costs money: its sender must learn its id.
    const text = `${request_id} runs, but could not be followed: ${thrown.message} Call "get" with this request_id.`;
    return { content: [{ type: 'text', text }], structuredContent: { request_id, status: 'QUEUED' } };
  }
}

async function waitForJob({ api, onProgress }: ToolCall, requestId: string): Promise<CallToolResult> {
  const job = await api.waitForJob(requestId, ({ progress }) => onProgress(progress));
  if (!isTerminal(job.status)) {
    const text = `${requestId} has not ended yet. Call "get" with this request_id.`;
    return { content: [{ type: 'text', text }], structuredContent: { ...job } };
  }
  return job.status === 'COMPLETED' ? buildResult(job) : buildError(job.error ?? job.status, job);
}

async function quote({ api, args, operations }: ToolCall): Promise<CallToolResult> {
  const named = findByCommand(operations, String(args.operation));
  const current = { ...args, ...(named && { operation: getCommand(named).name }) };
  const { operation: name, params } = parseParams(quoteSchema(operations), current);
  const { id } = findByCommand(operations, name) ?? {};
  const { price_usd } = await api.post<{ price_usd: string }>('/v2/quotes', {
    model_id: id,
    request: params,
  });
  return buildResult({ price_usd });
}

/** Builds the result of a success: the same for programs and as text. */
function buildResult(value: JobView | { readonly price_usd: string }): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...value } };
}

function buildError(text: string, value: object): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...value }, isError: true };
}

/**
 * Begins a session with the spending limit of a request, which a token carries: the service stores nothing of it but
 * the session of each job, so that sessions need no bound and hold on every machine.
 * @returns the token; undefined without a limit
 * @throws OperationError `bad_request` naming the header
 */
async function beginSession(ctx: Context, request: Request, actor: Actor): Promise<string | undefined> {
  const limit = readLimit(request);
  if (limit === undefined) return undefined;
  const expiresAt = Math.floor(Date.now() / 1000) + SESSION_SECONDS;
  const claims = [randomUUID(), formatUsd(limit), expiresAt].join('_');
  return `${claims}_${await sign(ctx, claims, actor)}`;
}

/**
 * Returns the session of a request after the first one; undefined where it has no limit.
 * @throws OperationError `not_found` when the session has ended or is another key's; `bad_request` for a limit without
 *   a session
 */
async function findSession(
  ctx: Context,
  request: Request,
  actor: Actor,
): Promise<SpendingSession | undefined> {
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
    isEqual(signature, await sign(ctx, `${id}_${own}_${expiresAt}`, actor));
  if (!isKnown || Number(expiresAt) * 1000 <= Date.now()) {
    throw new OperationError(
      'not_found',
      'There is no such session, or it has ended. Send "initialize" again.',
    );
  }
  const granted = parseUsd(own);
  return { id, limit: limit !== undefined && limit < granted ? limit : granted };
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
async function sign({ db }: Context, claims: string, { accountId, keyId }: Actor): Promise<string> {
  const secret = await getServiceSecret(db, 'spending-sessions');
  return createHmac('sha256', secret).update(`${claims} ${accountId} ${keyId}`).digest('base64url');
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
