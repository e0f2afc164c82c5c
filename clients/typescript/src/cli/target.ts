import type { OperationId, Quote } from '../types.ts';

/** Run of an operation on a file or URL. */
export interface Task {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, unknown>>;
  /** Absolute path, or URL. */
  readonly input: string;
  readonly signal: AbortSignal;
  /** @param fraction of the work, 0 to 1 */
  readonly onProgress: (fraction: number) => void;
}

export interface ResultFile {
  readonly name: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

export interface Outcome {
  readonly files: readonly ResultFile[];
  /** Request at the service; null for a run on this machine. */
  readonly requestId: string | null;
  readonly engine: string | null;
  readonly warnings: readonly string[];
  /** Decimal amount in US dollars; null for a run on this machine. */
  readonly chargedUsd: string | null;
  /** Findings of the run, in the API's names; null without any. */
  readonly result: object | null;
}

/** Place that runs operations: the service, or this machine. */
export interface Target {
  /** Files at the same time, unless the user says otherwise. */
  readonly jobs: number;
  /**
   * Runs a task.
   * @param save stores the results, which are gone afterwards
   */
  run(task: Task, save: (outcome: Outcome) => Promise<void>): Promise<void>;
  /** Returns the price of a task. @throws UsageError where runs cost nothing */
  quote(task: Task): Promise<Quote>;
  close(): Promise<void>;
}
