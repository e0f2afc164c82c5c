import type { Operation } from '../../models/core/operation/define-operation.ts';
import type { InputFacts, Media } from '../../models/core/operation/inputs.ts';
import type { MicroUsd } from '../../models/core/operation/money.ts';
import type { FileFacts } from '../../models/core/operation/result-file.ts';
import type { Db } from './database/db.ts';
import type { Env } from './env.ts';
import type { Logger } from './log.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { applyPricing } from './pricing.ts';
import type { Storage } from './storage.ts';
import type { Tracer } from './tracer.ts';

/** Probe of a local file. */
export interface ProbeRequest {
  /** Operation whose limits apply; none of the file's own when absent. */
  readonly operationId?: string;
  readonly path: string;
  /** Expected kinds of the file. */
  readonly media: readonly Media[];
  /** Whether it is a result, of which `fileFacts` are wanted as well. */
  readonly isResult?: true;
}

/** Facts about a file. */
export type ProbedFacts = InputFacts & {
  /** Those that a job shows of a result. */
  readonly fileFacts?: FileFacts;
};

interface ProbeOptions {
  /** Account, or network of a client without one. Its probes run one after the other. */
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Whether the file is of a link, which anybody may give, and not of an account. */
  readonly isLink?: boolean;
  /** Called when the owner's turn has come and a process is free: the wait before is due to others. */
  readonly onStart?: () => void;
}

/** Reads the facts about files that users give. */
export interface Prober {
  /**
   * Probes a local file.
   * @throws OperationError of the probe; `bad_request` when the file takes too much time or memory;
   *   `unavailable` when no process can be started; the signal's reason once aborted
   */
  probe(request: ProbeRequest, options: ProbeOptions): Promise<ProbedFacts>;
}

/** Dependencies of every server function. Made once per process and passed along, never global. */
export interface Context {
  readonly env: Env;
  readonly db: Db;
  readonly storage: Storage;
  readonly log: Logger;
  /** Id of the HTTP request that is being handled, in its log, its headers and its errors. */
  readonly traceId?: string;
  /** Place in a trace where the spans of this context begin; absent while tracing is off. */
  readonly tracer?: Tracer;
  /** Reads the facts about files that users give; in the web process only. */
  readonly prober?: Prober;
  /** Aborts when this process has been asked to stop: waiting requests then respond with what they have. */
  readonly stopping?: AbortSignal;
  /** Operations in place of the registry's under the terms. */
  readonly operations?: Operations;
  /** Hashes passwords in place of scrypt. */
  readonly passwordHasher?: PasswordHasher;
  /** Session whose spending limit the jobs of this context count for; absent without a limit. */
  readonly spendingSession?: SpendingSession;
}

/** Calls of an agent that may spend a limited amount together. */
export interface SpendingSession {
  /** A UUID. */
  readonly id: string;
  readonly limit: MicroUsd;
}

/** Operations by id. */
export type Operations = Readonly<Record<string, Operation>>;

/** Returns what this service offers, at its prices. */
export function getOperations({ operations, env }: Pick<Context, 'operations' | 'env'>): Operations {
  return operations ?? applyPricing(env.TERMS);
}
