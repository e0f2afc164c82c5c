import type { z } from 'zod';
import type { Json } from './json.ts';
import type { MicroUsd } from './money.ts';

/** Successful run, as its job stores it. */
export interface FinishedRun {
  /** Findings of the run, as written by the version that ran it: members may be missing or obsolete. */
  readonly details: Readonly<Record<string, Json>>;
  /** URLs of its files, in order. Empty for a run without files. */
  readonly urls: readonly string[];
  /** Duration of the run in milliseconds, without waiting and storing. */
  readonly processingMs: number;
  readonly charged: MicroUsd;
}

type Members<Schema extends z.ZodObject> = {
  [Name in keyof z.input<Schema>]?: z.input<Schema>[Name] | undefined;
};

/** Response body of a request that waits for the end of its job, in place of the job. */
export interface DirectResponse<Schema extends z.ZodObject = z.ZodObject> {
  /** All members, in order. The OpenAPI document shows it, and stored results are read by its names. */
  readonly schema: Schema;
  /** Returns members beyond those that the run's details contain. It must not throw for any run. */
  members?(run: FinishedRun): Members<NoInfer<Schema>>;
  /**
   * Behaviour when the run outlasts the wait. `accepted`: 202, and the job continues. `refused`: the fault `timeout`
   * with Retry-After, and the job ends in ERROR without a charge; such an operation never responds 202.
   */
  readonly outOfTime: 'accepted' | 'refused';
}

/** Reports whether an operation has direct responses only: no files, no polling and no webhooks. */
export function isDirectOnly({
  response,
}: {
  readonly response?: Pick<DirectResponse, 'outOfTime'>;
}): boolean {
  return response?.outOfTime === 'refused';
}

/**
 * Builds the body for a run. Reads tolerantly, since results outlive the version that made them: omits members
 * missing from the run, and members missing from the schema.
 */
export function responseBody(response: DirectResponse, run: FinishedRun): Record<string, unknown> {
  const known: Record<string, unknown> = { ...run.details, ...response.members?.(run) };
  const names = Object.keys(response.schema.shape).filter((name) => known[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, known[name]]));
}
