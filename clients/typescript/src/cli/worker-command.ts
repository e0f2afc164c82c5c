import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { ConnectionError } from '../errors.ts';
import { OPERATIONS } from '../operations.ts';
import { createTransport, pause } from '../transport.ts';
import type { Claim, OperationId } from '../types.ts';
import { persist } from './claims.ts';
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts';
import { findOperation } from './flags.ts';
import type { Machine } from './machine.ts';
import { readSettings } from './settings.ts';
import { createProgressLine, type Terminal } from './terminal.ts';
import { STOP_MS, type WorkerContext, workOnClaim } from './work-on-claim.ts';

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

/** Pause of a machine that could not run a job, so that others may take it. */
const FAULT_PAUSE_MS = 10_000;
/** Status of a wait in which no job came. */
const NO_JOB = 204;

interface ServeOptions {
  readonly operations: readonly OperationId[];
  /** Jobs at the same time. */
  readonly concurrency: number;
  /** Name of this machine. */
  readonly name: string;
}

/**
 * Takes jobs of the account one after the other, some at the same time, until the worker stops.
 * @throws AuthenticationError and other refusals that no wait helps against
 */
async function serveJobs(worker: Omit<WorkerContext, 'stopped'>, options: ServeOptions): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([worker.signal, failed.signal]);
  const inner = { ...worker, signal, stopped: delayAbort(signal, STOP_MS) };
  const lanes = Array.from({ length: options.concurrency }, () =>
    serveLane(inner, options).catch((thrown) => {
      // The others would meet the same refusal.
      failed.abort(thrown);
      throw thrown;
    }),
  );
  const ends = await Promise.allSettled(lanes);
  const reason = failed.signal.aborted ? failed.signal.reason : undefined;
  if (!worker.signal.aborted && ends.some(({ status }) => status === 'rejected')) throw reason;
}

async function serveLane(worker: WorkerContext, options: ServeOptions): Promise<void> {
  const { signal, print } = worker;
  while (!signal.aborted) {
    const claim = await takeJob(worker, options);
    if (!claim) continue;
    print(`${claim.request_id}: taken${claim.attempt > 1 ? `, attempt ${claim.attempt}` : ''}`);
    const end = await workOnClaim(worker, claim);
    if (end === 'fault') await pause(FAULT_PAUSE_MS, signal).catch(() => {});
  }
}

/** Waits for a job. @returns undefined when none has come yet, or the worker stops */
async function takeJob(
  { transport, signal, print, firstPauseMs }: WorkerContext,
  { operations, name }: ServeOptions,
): Promise<Claim | undefined> {
  let isAway = false;
  const ask = async (): Promise<Claim | undefined> => {
    // One that comes back says so at once.
    const body = { operations, worker: name, ...(isAway && { wait_seconds: 0 }) };
    const response = await transport.open('/v2/worker/claims', { method: 'POST', body, signal });
    if (isAway) print('The service is back.');
    isAway = false;
    if (response.status === NO_JOB) return undefined;
    return (await response.json().catch((cause) => {
      throw new ConnectionError('The claim broke off.', { cause });
    })) as Claim;
  };
  const onTrouble = ({ message }: Error, pauseMs: number) => {
    isAway = true;
    print(`${message} Trying again in ${Math.ceil(pauseMs / 1000)} s.`);
  };
  return await persist(ask, { signal, firstPauseMs, onTrouble }).catch((thrown) => {
    if (signal.aborted) return undefined;
    throw thrown;
  });
}

/** Returns a signal that aborts some time after another one. */
function delayAbort(signal: AbortSignal, delayMs: number): AbortSignal {
  const delayed = new AbortController();
  const begin = () => setTimeout(() => delayed.abort(signal.reason), delayMs).unref();
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return delayed.signal;
}
