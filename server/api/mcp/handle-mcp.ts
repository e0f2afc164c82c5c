import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Context, getOperations } from '../../base/context/context.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { readApiKey } from '../account/authenticate-request.ts';
import { getProcessLimits } from '../limits/process-limits.ts';
import { annotateBody } from '../request-log/annotate-request.ts';
import type { Api } from '../route.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from '../transport/read-json.ts';
import { callTool } from './call-tool.ts';
import { listTools } from './list-tools.ts';
import { openOwnApi } from './own-api.ts';
import { beginSession, findSession, SESSION_HEADER } from './spending-session.ts';

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
