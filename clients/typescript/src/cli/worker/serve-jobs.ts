import { ConnectionError } from '../../errors.ts';
import { pause } from '../../send.ts';
import type { Claim, OperationId } from '../../types.ts';
import { persist } from './persist.ts';
import { STOP_MS, type WorkerContext, workOnClaim } from './work-on-claim.ts';

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
export async function serveJobs(
  worker: Omit<WorkerContext, 'stopped'>,
  options: ServeOptions,
): Promise<void> {
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
