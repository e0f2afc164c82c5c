import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ApiError, AuthenticationError, ConnectionError } from '../errors.ts';
import { openFile } from '../node.ts';
import { OPERATIONS } from '../operations.ts';
import { type Transport as ApiTransport, createTransport } from '../transport.ts';
import type { OperationId, Upload } from '../types.ts';
import { upload, withUploads } from '../upload.ts';
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts';
import { chooseOutputLocation, exists, firstOutputPath, isUrl, listOutputPaths } from './files.ts';
import { findOperation, getFormat } from './flags.ts';
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
} from './mcp-sdk.ts';
import { COMMANDS } from './operation-commands.ts';
import { describeFailure } from './report.ts';
import { saveAll } from './run-files.ts';
import type { Settings } from './settings.ts';
import type { Outcome, Target } from './target.ts';
import type { Terminal } from './terminal.ts';

/** Longest call of a tool: beyond the wait of the service for a job, and an upload before. */
const CALL_MS_MAX = 3_600_000;

interface ServeOptions {
  readonly settings: Settings;
  /** Spending limit in US dollars; undefined without one. */
  readonly usdMax: string | undefined;
  /** Folders whose files the agent may use, with all below them. Empty for the working folder. */
  readonly allowed: readonly string[];
}

/**
 * Serves the tools of the service to an agent, over standard input and output, until the agent closes them. Where a
 * tool expects the URL of its input, it also accepts the path of a file.
 * @throws AuthenticationError, ConnectionError or UsageError when the service refuses the session
 */
export async function serveMcp(
  terminal: Terminal,
  { settings, usdMax, allowed }: ServeOptions,
): Promise<ExitCode> {
  const folders = await openFolders(terminal.cwd, allowed);
  const remote = await connect(settings, usdMax);
  const transport = createTransport(settings);
  const call = async ({ name, args, signal, onProgress: onprogress }: ToolCall) => {
    try {
      return await withUploads(transport, async (uploads) => {
        const sender = { transport, folders, signal, uploads };
        if (name === 'upload') return await uploadNamedFile(sender, args);
        const sent = await uploadLocalFiles(sender, args);
        const request = { method: 'tools/call', params: { name, arguments: sent } } as const;
        const options = { signal, onprogress, timeout: CALL_MS_MAX };
        return await remote.request(request, CallToolResultSchema, options);
      });
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

/** Sender of the files of a call. */
interface Sender {
  readonly transport: ApiTransport;
  readonly folders: Folders;
  readonly signal: AbortSignal;
  /** Files that the call has sent, and that are deleted when it ends. */
  readonly uploads: Upload[];
}

/** Uploads the files whose paths stand where a tool expects URLs, also in the params of a quote. */
async function uploadLocalFiles(sender: Sender, args: Arguments): Promise<Arguments> {
  const sent = { ...args };
  for (const [name, value] of Object.entries(args)) {
    if (INPUT_FIELDS.includes(name) && typeof value === 'string' && !isUrl(value)) {
      const uploaded = await uploadFile(sender, name, value);
      sender.uploads.push(uploaded);
      sent[name] = uploaded.upload_url;
    } else if (name === 'params' && typeof value === 'object' && value !== null) {
      sent[name] = await uploadLocalFiles(sender, { ...value });
    }
  }
  return sent;
}

/** Runs the tool `upload`, whose file stays at the service until it expires. */
async function uploadNamedFile(sender: Sender, { path, ...others }: Arguments): Promise<CallToolResult> {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new UsageError(`${unknown}: unknown field.`);
  if (typeof path !== 'string') throw new UsageError('path: must be the path of a file.');
  const uploaded = await uploadFile(sender, 'path', path);
  return { content: [{ type: 'text', text: JSON.stringify(uploaded) }], structuredContent: { ...uploaded } };
}

/** @throws UsageError naming the field */
async function uploadFile(
  { transport, folders, signal }: Sender,
  name: string,
  path: string,
): Promise<Upload> {
  return await upload(transport, await openFile(await folders.findFile(name, path)), { signal });
}

/** Folders of this machine that an agent may use, with all below them. */
interface Folders {
  /** Returns the real path of a file in one of them. @throws UsageError naming the field */
  findFile(field: string, path: string): Promise<string>;
  /** Checks that a path which may not exist yet lies in one of them. @throws UsageError naming the field */
  assertInside(field: string, path: string): Promise<void>;
}

/** @throws UsageError for a folder that does not exist */
async function openFolders(cwd: string, allowed: readonly string[]): Promise<Folders> {
  const names = allowed.length > 0 ? allowed : ['.'];
  const roots = await Promise.all(
    names.map((name) =>
      realpath(resolve(cwd, name)).catch(() => {
        throw new UsageError(`--allow: there is no folder ${name}.`);
      }),
    ),
  );
  const isInside = (path: string) =>
    roots.some((root) => {
      const way = relative(root, path);
      return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
    });
  const assertAllowed = (field: string, path: string, real: string) => {
    if (isInside(real)) return;
    throw new UsageError(
      `${field}: ${path} lies outside of ${roots.join(', ')}. Start "darkroom mcp" with --allow DIR for other folders.`,
    );
  };
  return {
    async findFile(field, path) {
      const real = await realpath(resolve(cwd, path)).catch(() => resolve(cwd, path));
      assertAllowed(field, path, real);
      const info = await stat(real).catch(() => null);
      if (!info?.isFile()) throw new UsageError(`${field}: is neither a URL nor a file: ${path}.`);
      return real;
    },
    async assertInside(field, path) {
      // A link in the folder may lead out of it.
      let [existing, rest] = [resolve(cwd, path), ''];
      for (let real: string | undefined; real === undefined; ) {
        real = await realpath(existing).catch(() => undefined);
        if (real !== undefined) assertAllowed(field, path, join(real, rest));
        else [existing, rest] = [dirname(existing), join(basename(existing), rest)];
      }
    },
  };
}

/** Returns a tool whose input may be a file of this machine. */
function allowLocalFiles(tool: Tool): Tool {
  if (tool.name === 'upload') {
    const path = { type: 'string', description: 'Path of a file of this machine.' };
    return { ...tool, inputSchema: { type: 'object', properties: { path }, required: ['path'] } };
  }
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
export async function serveLocalMcp(
  terminal: Terminal,
  { target, tools }: LocalTools,
  allowed: readonly string[],
): Promise<ExitCode> {
  const folders = await openFolders(terminal.cwd, allowed);
  const inTurn = takeTurns(target.jobs);
  const call = async (toolCall: ToolCall) => {
    try {
      return buildResult(await inTurn(() => runTool({ terminal, target, folders }, toolCall)));
    } catch (thrown) {
      toolCall.signal.throwIfAborted();
      return buildError(describeFailure(thrown).message);
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

interface LocalPlace {
  readonly terminal: Terminal;
  readonly target: Target;
  readonly folders: Folders;
}

async function runTool(
  { terminal: { cwd }, target, folders }: LocalPlace,
  { name, args, signal, onProgress }: ToolCall,
): Promise<LocalOutcome> {
  signal.throwIfAborted();
  const operation = findOperation(name);
  if (!operation) throw new UsageError(`${name}: there is no such tool.`);
  const { field, input, out, params } = readArguments(operation, args);
  const path = isUrl(input) ? input : await folders.findFile(field, input);
  const command = COMMANDS[operation];
  const place = await chooseOutputLocation(command, input, { cwd, out, inputCount: 1 });
  const expected = firstOutputPath(command, place, input, getFormat(operation, params));
  await folders.assertInside('out', expected);
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
    const files = listOutputPaths(place, run.files);
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
