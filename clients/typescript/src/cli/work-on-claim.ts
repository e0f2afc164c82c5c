import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, InvalidRequestError } from '../errors.ts';
import type { Transport } from '../transport.ts';
import type { Claim, OperationId, ReportedRun, RunReport } from '../types.ts';
import { downloadFile, downloadFiles, isOver, persist, sendFile, startKeeping } from './claims.ts';
import type { Machine, MachineReport, MachineRun } from './machine.ts';
import { makeOwnFolder } from './own-folders.ts';

/** Time of a worker that stops for its last words: a report that is on its way, and that a job comes back. */
export const STOP_MS = 5_000;

/** Surroundings of a worker's jobs. */
export interface WorkerContext {
  readonly transport: Transport;
  readonly machine: Machine;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
  /** Aborts `STOP_MS` later. */
  readonly stopped: AbortSignal;
  /** Overrides the first pause after a lost connection. */
  readonly firstPauseMs?: number | undefined;
  /** Prints a line. */
  print(text: string): void;
  /** Prints how far a job is, 0 to 1; null once it is over. */
  show(requestId: string, fraction: number | null): void;
}

/** End of the work on a claim: `fault` where this machine cannot run the job now. */
type ClaimEnd = 'settled' | 'over' | 'returned' | 'fault';

type Run = Claim['runs'][number];

/**
 * Runs a claimed job and reports its end, over every lost connection. The service may take the job away during the run; a
 * worker that stops gives it back.
 * @throws AuthenticationError and other refusals that every further claim would meet
 */
export async function workOnClaim(worker: WorkerContext, claim: Claim): Promise<ClaimEnd> {
  const directory = await makeOwnFolder();
  const work = new ClaimWork(worker, claim, directory);
  try {
    return await work.finish();
  } finally {
    worker.show(claim.request_id, null);
    await rm(directory, { recursive: true, force: true });
  }
}

class ClaimWork {
  readonly #worker: WorkerContext;
  readonly #claim: Claim;
  readonly #directory: string;
  readonly #path: string;
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  #settled = 0;
  #fraction = 0;
  #isReporting = false;

  constructor(worker: WorkerContext, claim: Claim, directory: string) {
    this.#worker = worker;
    this.#claim = claim;
    this.#directory = directory;
    this.#path = `/v2/worker/claims/${encodeURIComponent(claim.claim_id)}`;
    this.#signal = AbortSignal.any([worker.signal, this.#over.signal]);
  }

  async finish(): Promise<ClaimEnd> {
    const { transport, signal, print } = this.#worker;
    const { request_id } = this.#claim;
    const endKeeping = startKeeping({
      transport,
      claimPath: this.#path,
      leaseSeconds: this.#claim.lease_seconds,
      progress: () => (this.#settled + this.#fraction) / this.#claim.runs.length,
      onOver: (reason) => {
        // A report that ends the job makes every later word on it a late one.
        if (!this.#isReporting) this.#over.abort(reason);
      },
    });
    try {
      return await this.#runAll();
    } catch (thrown) {
      const reason = this.#over.signal.aborted ? this.#over.signal.reason : thrown;
      if (isOver(reason)) {
        print(`${request_id}: ${reason.message}`);
        return 'over';
      }
      endKeeping();
      await this.#return(thrown);
      if (signal.aborted) return 'returned';
      // Every further claim would meet the same refusal; a full disk may have room again.
      if (thrown instanceof ApiError) throw thrown;
      return 'fault';
    } finally {
      endKeeping();
    }
  }

  async #runAll(): Promise<ClaimEnd> {
    for (const run of this.#claim.runs) {
      const startedAtMs = performance.now();
      const end = await this.#run(run);
      if ('fault' in end) {
        await this.#return(end.fault);
        return 'fault';
      }
      const { status } = await this.#settle(run, end);
      this.#settled += 1;
      this.#fraction = 0;
      const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
      this.#worker.print(
        `${this.#claim.request_id}${this.#getItem(run)}: ${describe(end, status)} (${seconds} s)`,
      );
    }
    return 'settled';
  }

  async #run(run: Run) {
    const { transport, machine } = this.#worker;
    const signal = this.#signal;
    const folder = join(this.#directory, String(run.position));
    const files = await downloadFiles(run, folder, (file, path) =>
      this.#persist(() => downloadFile(transport, file, path, signal)),
    );
    const outputDirectory = this.#getOutputs(run);
    await mkdir(outputDirectory);
    const task: MachineRun = {
      operation: this.#claim.operation as OperationId,
      params: run.params,
      ...files,
      outputDirectory,
      signal,
      onProgress: (fraction) => this.#report(fraction),
    };
    const end = await machine.run(task);
    signal.throwIfAborted();
    return end;
  }

  /** Sends the files of a result, then the report on its run. A result that the service refuses is an error. */
  async #settle(run: Run, end: MachineReport): Promise<ReportedRun> {
    const { position } = run;
    try {
      for (const [at, file] of end.files.entries()) {
        const sent = { ...file, path: join(this.#getOutputs(run), file.name) };
        const place = { position, file: at };
        await this.#persist(() => sendFile(this.#worker.transport, this.#path, sent, place, this.#signal));
      }
      return await this.#send({ ...end.report, position });
    } catch (thrown) {
      if (!(thrown instanceof InvalidRequestError)) throw thrown;
      const message = `The service refused the result of a worker: ${thrown.message}`.slice(0, 1000);
      return await this.#send({ outcome: 'error', code: 'internal', message, position });
    }
  }

  /** Sends a report. A finished run is worth the moment that this takes, also to a worker that stops. */
  async #send(body: RunReport): Promise<ReportedRun> {
    const { transport } = this.#worker;
    const path = `${this.#path}/report`;
    const signal = AbortSignal.any([this.#over.signal, this.#worker.stopped]);
    this.#isReporting = true;
    try {
      const post = () => transport.json<ReportedRun>(path, { method: 'POST', body, signal });
      return await this.#persist(post, signal);
    } finally {
      this.#isReporting = false;
    }
  }

  #getOutputs({ position }: Run): string {
    return join(this.#directory, String(position), 'out');
  }

  #getItem({ position }: Run): string {
    return this.#claim.model_id === this.#claim.operation ? '' : ` item ${position}`;
  }

  #report(fraction: number): void {
    this.#fraction = Math.min(1, Math.max(0, fraction));
    const all = (this.#settled + this.#fraction) / this.#claim.runs.length;
    this.#worker.show(this.#claim.request_id, all);
  }

  #persist<Result>(call: () => Promise<Result>, signal = this.#signal): Promise<Result> {
    const { print, firstPauseMs } = this.#worker;
    return persist(call, {
      signal,
      firstPauseMs,
      onTrouble: ({ message }, pauseMs) =>
        print(`${message} Trying again in ${Math.ceil(pauseMs / 1000)} s.`),
    });
  }

  /** Gives the job back. Without a connection the service notices by itself. */
  async #return(cause: unknown): Promise<void> {
    const { transport, signal, print } = this.#worker;
    const reason = signal.aborted
      ? 'the worker stops'
      : cause instanceof Error
        ? cause.message
        : String(cause);
    const call = { method: 'DELETE', signal: AbortSignal.timeout(STOP_MS) } as const;
    const isBack = await transport.open(this.#path, call).then(
      () => true,
      () => false,
    );
    const text = isBack ? 'given back' : 'left to the service';
    print(`${this.#claim.request_id}: ${text}, since ${reason}.`.replace(/\.\.$/, '.'));
  }
}

function describe({ report }: MachineReport, status: string): string {
  if (report.outcome === 'completed') return `${status} by ${report.engine}`;
  return `${status}: ${report.message}`;
}
