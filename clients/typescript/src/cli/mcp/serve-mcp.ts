import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Client as ApiClient, createClient } from '../../client.ts';
import { ApiError, AuthenticationError, ConnectionError } from '../../errors.ts';
import { openFile } from '../../node.ts';
import { OPERATIONS } from '../../operations.ts';
import type { OperationId } from '../../types.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-codes.ts';
import { chooseOutputLocation, exists, firstOutputPath, isUrl, listOutputPaths } from '../files.ts';
import { findOperation, formatOf } from '../flags.ts';
import { COMMANDS } from '../operation-commands.ts';
import { describeFailure } from '../report.ts';
import { saveAll } from '../run-files.ts';
import type { Settings } from '../settings.ts';
import type { Outcome, Target } from '../target.ts';
import type { Terminal } from '../terminal.ts';
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
  type Tool,
  type Transport,
} from './sdk.ts';

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

/** Fields that name the input of an operation by URL. */
const INPUT_FIELDS: readonly string[] = Object.values(OPERATIONS).flatMap(({ fields }) =>
  Object.values(fields),
);

/** Uploads the files whose paths stand where a tool expects URLs, also in the params of a quote. */
async function uploadLocalFiles(
  client: ApiClient,
  args: Arguments,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<Arguments> {
  const sent = { ...args };
  for (const [name, value] of Object.entries(args)) {
    if (INPUT_FIELDS.includes(name) && typeof value === 'string' && !isUrl(value)) {
      sent[name] = await uploadFile(client, { name, path: resolve(cwd, value), signal });
    } else if (name === 'params' && typeof value === 'object' && value !== null) {
      sent[name] = await uploadLocalFiles(client, { ...value }, { cwd, signal });
    }
  }
  return sent;
}

interface LocalFile {
  /** Field that names it. */
  readonly name: string;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** @throws UsageError naming the field */
async function uploadFile(client: ApiClient, { name, path, signal }: LocalFile): Promise<string> {
  await assertFile(name, path);
  return await client.upload(await openFile(path), signal);
}

/** Checks that a field names a file of this machine. @throws UsageError */
async function assertFile(name: string, path: string): Promise<void> {
  const info = await stat(path).catch(() => null);
  if (!info?.isFile()) throw new UsageError(`${name}: is neither a URL nor a file: ${path}.`);
}

/** Returns a tool whose description says that its input may be a file of this machine. */
function allowLocalFiles(tool: Tool): Tool {
  const { properties = {} } = tool.inputSchema;
  const fields = Object.entries(properties).map(([name, field]): [string, object] => {
    if (!INPUT_FIELDS.includes(name)) return [name, field];
    const { description = '' }: { description?: unknown } = Object(field);
    return [name, { type: 'string', description: `${description} Or the path of a file of this machine.` }];
  });
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: Object.fromEntries(fields) } };
}

/** This machine as the place that runs the tools of an agent. */
export interface LocalTools {
  readonly target: Target;
  readonly tools: readonly Tool[];
}

const INSTRUCTIONS =
  'Each tool runs on the files of this machine, at no charge, and returns the paths of its results. No file is overwritten.';

/**
 * Serves the operations to an agent as tools that run on this machine, without account and service, over standard input
 * and output, until the agent closes them.
 */
export async function serveLocalMcp(terminal: Terminal, { target, tools }: LocalTools): Promise<ExitCode> {
  const inTurn = takeTurns(target.jobs);
  const call = async (toolCall: ToolCall) => {
    try {
      return buildResult(await inTurn(() => runTool(terminal, target, toolCall)));
    } catch (thrown) {
      toolCall.signal.throwIfAborted();
      return buildError(describeFailure(thrown, (message) => message).message);
    }
  };
  try {
    return await serveTools(terminal, { instructions: INSTRUCTIONS, list: async () => [...tools], call });
  } finally {
    await target.close();
  }
}

/** Returns a function that lets at most `max` calls run at a time, in their order: agents send many at once. */
function takeTurns(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < max) running += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

interface LocalOutcome extends Pick<Outcome, 'engine' | 'warnings' | 'result'> {
  /** Absolute paths. */
  readonly files: readonly string[];
}

async function runTool(
  { cwd }: Terminal,
  target: Target,
  { name, args, signal, onProgress }: ToolCall,
): Promise<LocalOutcome> {
  signal.throwIfAborted();
  const operation = findOperation(name);
  if (!operation) throw new UsageError(`${name}: there is no such tool.`);
  const { field, input, out, params } = readArguments(operation, args);
  const path = isUrl(input) ? input : resolve(cwd, input);
  if (!isUrl(input)) await assertFile(field, path);
  const command = COMMANDS[operation];
  const place = await chooseOutputLocation(command, input, { cwd, out, inputCount: 1 });
  const expected = firstOutputPath(command, place, input, formatOf(operation, params));
  if (await exists(expected)) throw new UsageError(`out: ${expected} exists. Choose another path.`);
  let outcome: LocalOutcome | undefined;
  const task = {
    operation,
    params,
    signal,
    input: path,
    onProgress: (progress: number) => onProgress({ progress, total: 1 }),
  };
  await target.run(task, async (run) => {
    const names = run.files.map((file) => file.name);
    const files = listOutputPaths(place, names);
    await saveAll(run, files, { force: false, signal });
    const { engine, warnings, result } = run;
    outcome = { files, engine, warnings, result };
  });
  if (!outcome) throw new Error(`${name} has no result.`);
  return outcome;
}

/** Splits the arguments of a tool into its input, the place of its result and the params. @throws UsageError */
function readArguments(operation: OperationId, { out, ...args }: Arguments) {
  const fields: readonly string[] = Object.values(OPERATIONS[operation].fields);
  const given = Object.entries(args).filter(([name]) => fields.includes(name));
  const [[name, input] = []] = given;
  if (name === undefined || given.length !== 1 || typeof input !== 'string') {
    throw new UsageError(`${fields.join(', ')}: give the path or URL of one input.`);
  }
  if (out !== undefined && typeof out !== 'string') throw new UsageError('out: must be a path.');
  const params = Object.fromEntries(Object.entries(args).filter(([param]) => param !== name));
  return { field: name, input, out, params };
}

function buildResult(outcome: LocalOutcome): CallToolResult {
  const value = { status: 'COMPLETED', charged_usd: '0.00', ...outcome };
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

/** Name of the server, as an agent shows it. */
const INFO = { name: 'darkroom', title: 'Darkroom', version: '1.0.0' };

type Arguments = Readonly<Record<string, unknown>>;

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
}

interface ToolCall {
  readonly name: string;
  readonly args: Arguments;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Tools of an agent. */
interface ToolSource {
  readonly instructions: string | undefined;
  list(): Promise<Tool[]>;
  /** Runs a tool. What the agent can mend is a result, too. */
  call(call: ToolCall): Promise<CallToolResult>;
}

/** Serves tools to an agent, over standard input and output, until the agent closes them. */
async function serveTools({ signal }: Terminal, source: ToolSource): Promise<ExitCode> {
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
function buildError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
