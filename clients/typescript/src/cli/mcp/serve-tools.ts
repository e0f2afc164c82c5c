import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  Server,
  StdioServerTransport,
  type Tool,
} from './sdk.ts';

/** Name of the server, as an agent shows it. */
export const INFO = { name: 'darkroom', title: 'Darkroom', version: '1.0.0' };

export type Arguments = Readonly<Record<string, unknown>>;

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
}

export interface ToolCall {
  readonly name: string;
  readonly args: Arguments;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Tools of an agent. */
export interface ToolSource {
  readonly instructions: string | undefined;
  list(): Promise<Tool[]>;
  /** Runs a tool. What the agent can mend is a result, too. */
  call(call: ToolCall): Promise<CallToolResult>;
}

/** Serves tools to an agent, over standard input and output, until the agent closes them. */
export async function serveTools({ signal }: Terminal, source: ToolSource): Promise<ExitCode> {
  const server = createServer(source, signal);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  // The transport itself does not close with its input.
  process.stdin.once('end', () => void server.close());
  signal.addEventListener('abort', () => void server.close(), { once: true });
  await server.connect(new StdioServerTransport());
  await closed;
  return signal.aborted ? EXIT.interrupted : EXIT.done;
}

function createServer({ instructions, list, call }: ToolSource, stopped: AbortSignal): Server {
  const server = new Server(INFO, { capabilities: { tools: {} }, ...(instructions && { instructions }) });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await list() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal: left, sendNotification }) => {
    const progressToken = params._meta?.progressToken;
    const onProgress = (progress: Progress) => {
      if (progressToken === undefined) return;
      const report = { progressToken, ...progress };
      void sendNotification({ method: 'notifications/progress', params: report }).catch(() => {});
    };
    const { name, arguments: args = {} } = params;
    return await call({ name, args, signal: AbortSignal.any([left, stopped]), onProgress });
  });
  return server;
}

/** Builds the result of a call that the agent may mend. */
export function buildError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
