import { resolve } from 'node:path';
import { OPERATIONS } from '../../operations.ts';
import type { OperationId } from '../../types.ts';
import { findOperation } from '../commands.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import { formatOf } from '../flags.ts';
import { COMMANDS } from '../operation-commands.ts';
import { chooseOutputLocation, exists, firstOutputPath, isUrl, listOutputPaths } from '../output-paths.ts';
import { describeFailure } from '../report.ts';
import { saveAll } from '../run-files.ts';
import type { Outcome, Target } from '../target.ts';
import type { Terminal } from '../terminal.ts';
import { assertFile } from './local-files.ts';
import type { CallToolResult, Tool } from './sdk.ts';
import { type Arguments, buildError, serveTools, type ToolCall } from './serve-tools.ts';

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
export function takeTurns(max: number): <T>(work: () => Promise<T>) => Promise<T> {
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
