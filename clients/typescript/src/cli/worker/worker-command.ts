import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { OPERATIONS } from '../../operations.ts';
import { createTransport } from '../../transport.ts';
import type { OperationId } from '../../types.ts';
import { findOperation } from '../commands.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-codes.ts';
import { readSettings } from '../settings.ts';
import { createProgressLine, type Terminal } from '../terminal.ts';
import type { Machine } from './machine.ts';
import { serveJobs } from './serve-jobs.ts';

const CONCURRENCY_MAX = 16;
const USAGE = 'Usage: darkroom worker [--operations A,B] [--concurrency N]';
const KNOWN = Object.keys(OPERATIONS) as OperationId[];

interface WorkerOptions {
  /** Opens this machine as the place that runs jobs. @param runsMax at the same time */
  readonly openMachine: (runsMax: number) => Promise<Machine>;
  /** Overrides the first pause after a lost connection. */
  readonly firstPauseMs?: number | undefined;
}

/**
 * Takes the jobs that the account leaves to its own machines, until it is interrupted.
 * @throws UsageError, KeyError, AuthenticationError and other refusals of the service
 */
export async function runWorker(
  terminal: Terminal,
  args: readonly string[],
  { openMachine, firstPauseMs }: WorkerOptions,
): Promise<ExitCode> {
  const { operations, concurrency } = readArgs(args);
  const settings = await readSettings(terminal.env);
  const machine = await openMachine(concurrency);
  const progress = createProgressLine(terminal, 1);
  const print = (text: string) => {
    progress.clear();
    terminal.out(`${text}\n`);
  };
  const show = (id: string, fraction: number | null) =>
    fraction === null ? progress.end(id) : progress.update(id, fraction);
  const retry = firstPauseMs === undefined ? {} : { retry: { firstPauseMs } };
  const worker = {
    transport: createTransport({ ...settings, ...retry }),
    machine,
    signal: terminal.signal,
    firstPauseMs,
    print,
    show,
  };
  print(
    `Waiting for jobs of this account at ${settings.origin}, ${concurrency} at a time: ${operations.join(', ')}.`,
  );
  try {
    await serveJobs(worker, { operations, concurrency, name: hostname() });
  } finally {
    progress.clear();
    machine.close();
  }
  return terminal.signal.aborted ? EXIT.interrupted : EXIT.done;
}

function readArgs(args: readonly string[]): { operations: readonly OperationId[]; concurrency: number } {
  const { operations, concurrency = '1' } = parse(args);
  const names = operations?.split(',').map((name) => name.trim());
  const number = Number(concurrency);
  if (!/^\d+$/.test(concurrency) || number < 1 || number > CONCURRENCY_MAX) {
    throw new UsageError(`--concurrency: must be a whole number from 1 to ${CONCURRENCY_MAX}. ${USAGE}`);
  }
  return { operations: names?.map(readOperation) ?? KNOWN, concurrency: number };
}

function parse(args: readonly string[]) {
  const options = { operations: { type: 'string' }, concurrency: { type: 'string' } } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (thrown) {
    throw new UsageError(`${thrown instanceof Error ? thrown.message : thrown}. ${USAGE}`);
  }
}

/** Returns the operation that a command or a model_id names. @throws UsageError for an unknown one */
function readOperation(name: string): OperationId {
  const found = KNOWN.find((id) => id === name) ?? findOperation(name);
  if (found) return found;
  throw new UsageError(
    `--operations: "${name}" is no operation. Choose some of ${KNOWN.join(', ')}. ${USAGE}`,
  );
}
