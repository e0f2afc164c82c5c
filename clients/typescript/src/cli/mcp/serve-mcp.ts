import { type Client as ApiClient, createClient } from '../../client.ts';
import { ApiError, AuthenticationError, ConnectionError } from '../../errors.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-codes.ts';
import type { Settings } from '../settings.ts';
import type { Terminal } from '../terminal.ts';
import { allowLocalFiles, uploadLocalFiles } from './local-files.ts';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CallToolResultSchema,
  Client,
  ListToolsRequestSchema,
  Server,
  StdioServerTransport,
  StreamableHTTPClientTransport,
  StreamableHTTPError,
  type Transport,
} from './sdk.ts';

const INFO = { name: 'darkroom', title: 'Darkroom', version: '1.0.0' };
/** Longest call of a tool: beyond the wait of the service for a job, and an upload before. */
const CALL_MS_MAX = 3_600_000;

interface ServeOptions {
  readonly settings: Settings;
  /** Spending limit in US dollars; undefined without one. */
  readonly usdMax: string | undefined;
}

/**
 * Serves the tools of the service to an agent, over standard input and output, until the agent closes them. Where a
 * tool expects the URL of its input, it also accepts the path of a file.
 * @throws AuthenticationError, ConnectionError or UsageError when the service refuses the session
 */
export async function serveMcp(terminal: Terminal, { settings, usdMax }: ServeOptions): Promise<ExitCode> {
  const remote = await connect(settings, usdMax);
  const server = createServer(terminal, remote, createClient(settings));
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  // The transport itself does not close with its input.
  process.stdin.once('end', () => void server.close());
  terminal.signal.addEventListener('abort', () => void server.close(), { once: true });
  await server.connect(new StdioServerTransport());
  await closed;
  await remote.close();
  return terminal.signal.aborted ? EXIT.interrupted : EXIT.done;
}

/** Begins the session at the service. */
async function connect({ origin, apiKey }: Settings, usdMax: string | undefined): Promise<Client> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(usdMax !== undefined && { 'x-spending-limit-usd': usdMax }),
  };
  const remote = new Client(INFO);
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } });
  try {
    // The package's own types differ in what may be undefined.
    await remote.connect(transport as Transport);
    return remote;
  } catch (thrown) {
    throw describeRefusal(thrown, origin);
  }
}

function describeRefusal(thrown: unknown, origin: string): unknown {
  if (thrown instanceof TypeError)
    return new ConnectionError(`${origin} cannot be reached.`, { cause: thrown });
  if (!(thrown instanceof StreamableHTTPError)) return thrown;
  const { code = 500, message } = thrown;
  const [, text = '{}'] = /(\{.*\})/s.exec(message) ?? [];
  const response = new Response(null, { status: code });
  if (code === 401) return new AuthenticationError(response, parseProblem(text));
  const { message: words = message } = parseProblem(text);
  return code === 400 ? new UsageError(words) : new ApiError(response, { message: words });
}

function parseProblem(text: string): { message?: string } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function createServer({ cwd, signal: stopped }: Terminal, remote: Client, api: ApiClient): Server {
  const instructions = remote.getInstructions();
  const server = new Server(INFO, { capabilities: { tools: {} }, ...(instructions && { instructions }) });
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const { tools } = await remote.listTools();
    return { tools: tools.map(allowLocalFiles) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal: left, sendNotification }) => {
    const signal = AbortSignal.any([left, stopped]);
    const progressToken = params._meta?.progressToken;
    const onprogress = (progress: { progress: number; total?: number | undefined }) => {
      if (progressToken === undefined) return;
      const report = { progressToken, ...progress };
      void sendNotification({ method: 'notifications/progress', params: report }).catch(() => {});
    };
    try {
      const { name, arguments: args = {} } = params;
      const call = { name, arguments: await uploadLocalFiles(api, args, { cwd, signal }) };
      const request = { method: 'tools/call', params: call } as const;
      return await remote.request(request, CallToolResultSchema, {
        signal,
        onprogress,
        timeout: CALL_MS_MAX,
      });
    } catch (thrown) {
      if (thrown instanceof UsageError || thrown instanceof ApiError) return buildError(thrown.message);
      throw thrown;
    }
  });
  return server;
}

function buildError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
