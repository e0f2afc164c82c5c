import { createClient } from '../../client.ts';
import { ApiError, AuthenticationError, ConnectionError } from '../../errors.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import type { Settings } from '../settings.ts';
import type { Terminal } from '../terminal.ts';
import { allowLocalFiles, uploadLocalFiles } from './local-files.ts';
import {
  CallToolResultSchema,
  Client,
  StreamableHTTPClientTransport,
  StreamableHTTPError,
  type Transport,
} from './sdk.ts';
import { buildError, INFO, serveTools, type ToolCall } from './serve-tools.ts';

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
  const api = createClient(settings);
  const call = async ({ name, args, signal, onProgress: onprogress }: ToolCall) => {
    try {
      const sent = await uploadLocalFiles(api, args, { cwd: terminal.cwd, signal });
      const request = { method: 'tools/call', params: { name, arguments: sent } } as const;
      const options = { signal, onprogress, timeout: CALL_MS_MAX };
      return await remote.request(request, CallToolResultSchema, options);
    } catch (thrown) {
      if (thrown instanceof UsageError || thrown instanceof ApiError) return buildError(thrown.message);
      throw thrown;
    }
  };
  const list = async () => (await remote.listTools()).tools.map(allowLocalFiles);
  const code = await serveTools(terminal, { instructions: remote.getInstructions(), list, call });
  await remote.close();
  return code;
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
