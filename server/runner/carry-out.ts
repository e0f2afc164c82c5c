import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Operation } from '../../models/operation.ts';
import type { Context } from '../context.ts';
import type { StoredFile } from '../jobs/index.ts';
import type { RunOptions } from './child-process.ts';
import type { ChildPool } from './pool.ts';
import type { Done, RunRequest } from './protocol.ts';
import { judge, type Verdict } from './verdict.ts';

export interface Workshop {
  readonly ctx: Context;
  readonly pool: ChildPool;
  readonly operations: Readonly<Record<string, Operation>>;
  /** Work is broken off when this aborts. */
  readonly signal: AbortSignal;
}

/** One run of an operation on what lies in storage. */
export interface Run {
  readonly jobId: string;
  readonly operation: Operation;
  readonly params: unknown;
  /** About the input. */
  readonly facts: object;
  readonly inputKey: string;
  /** By the name of the param. */
  readonly attachmentKeys: Readonly<Record<string, string>>;
  /** For this run alone; exists. */
  readonly directory: string;
  readonly onProgress: (fraction: number) => void;
}

/** What a run gave, with its files in storage. */
export interface RunOutput extends Pick<Done, 'engine' | 'warnings'> {
  readonly files: readonly StoredFile[];
  readonly details: Readonly<Record<string, string | number>>;
}

export type RunOutcome =
  | { readonly next: 'complete'; readonly result: RunOutput }
  | Exclude<Verdict, { next: 'complete' }>;

/** Carries a run out in a child and puts what comes out into storage. @throws when storage is away */
export async function carryOut(shop: Workshop, run: Run): Promise<RunOutcome> {
  const { ctx, signal } = shop;
  const { operation, params, facts, directory, onProgress } = run;
  const outputDirectory = join(directory, 'out');
  const given = await fetchGiven(ctx, run);
  const request = { operationId: operation.id, params, ...given, outputDirectory };
  const options = { limits: operation.limitsFor(facts), signal, onProgress };
  let verdict = await runOnce(shop, request, options);
  if (verdict.next === 'run-again') verdict = await runOnce(shop, request, options);
  if (verdict.next !== 'complete') return verdict;
  const { engine, warnings, durationMs } = verdict.result;
  const files = await store(ctx, run.jobId, verdict.result, outputDirectory);
  const details = { ...verdict.result.details, processing_ms: durationMs };
  return { next: 'complete', result: { files, engine, warnings, details } };
}

/** The input and the attachments as local files. */
async function fetchGiven(
  { storage }: Context,
  { inputKey, attachmentKeys, directory }: Run,
): Promise<Pick<RunRequest, 'inputPath' | 'attachmentPaths'>> {
  const paths = Object.entries(attachmentKeys).map(
    async ([name, key]) => [name, await storage.toLocalFile(key, directory)] as const,
  );
  return {
    inputPath: await storage.toLocalFile(inputKey, directory),
    attachmentPaths: Object.fromEntries(await Promise.all(paths)),
  };
}

async function runOnce({ ctx, pool }: Workshop, request: RunRequest, options: RunOptions): Promise<Verdict> {
  await rm(request.outputDirectory, { recursive: true, force: true });
  await mkdir(request.outputDirectory);
  const end = await pool.run(request, options);
  const verdict = judge(end, options.limits);
  if (end.kind !== 'done') ctx.log.warn({ end, next: verdict.next }, 'a run ended without a result');
  return verdict;
}

/** Under a random token, so that no attempt writes over another's files. */
async function store(ctx: Context, id: string, { files }: Done, directory: string): Promise<StoredFile[]> {
  const token = randomBytes(16).toString('base64url');
  return await Promise.all(
    files.map(async ({ name, mediaType, bytes, sha256Hex }) => {
      const key = `outputs/${id}/${token}/${name}`;
      await ctx.storage.putFile(key, join(directory, name), mediaType);
      return { key, name, mediaType, bytes, sha256: Buffer.from(sha256Hex, 'hex') };
    }),
  );
}
