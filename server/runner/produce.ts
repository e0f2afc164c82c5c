import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Operation } from '../../models/operation.ts';
import type { Context } from '../context.ts';
import { type Claim, type JobResult, reportProgress, type StoredFile } from '../jobs/index.ts';
import type { RunOptions } from './child-process.ts';
import type { ChildPool } from './pool.ts';
import type { Done, RunRequest } from './protocol.ts';
import { judge, type Verdict } from './verdict.ts';

const PROGRESS_EVERY_MS = 1_000;

export interface Workshop {
  readonly ctx: Context;
  readonly pool: ChildPool;
  readonly operations: Readonly<Record<string, Operation>>;
  /** Work is broken off when this aborts. */
  readonly signal: AbortSignal;
}

/** What became of an attempt: a result whose files are in storage, or the verdict on a run without one. */
export type Product =
  | { readonly next: 'complete'; readonly result: JobResult }
  | Exclude<Verdict, { next: 'complete' }>;

/**
 * Runs the claimed job's operation on its input and puts what comes out into storage.
 * @param directory for this attempt alone
 */
export async function produce(shop: Workshop, claim: Claim, directory: string): Promise<Product> {
  const { ctx, operations, signal } = shop;
  const operation = operations[claim.operationId];
  if (!operation) return { next: 'retry', reason: `${claim.operationId} is not known to this runner` };
  const outputDirectory = join(directory, 'out');
  const given = await fetchGiven(ctx, claim, directory);
  const request = { operationId: operation.id, params: claim.params, ...given, outputDirectory };
  const options = { limits: operation.limits, signal, onProgress: progressWriter(ctx, claim) };
  let verdict = await runOnce(shop, request, options);
  if (verdict.next === 'run-again') verdict = await runOnce(shop, request, options);
  if (verdict.next !== 'complete') return verdict;
  const { engine, warnings, durationMs } = verdict.result;
  const files = await store(ctx, claim.id, verdict.result, outputDirectory);
  const details = { ...verdict.result.details, processing_ms: durationMs };
  return { next: 'complete', result: { files, engine, warnings, details } };
}

/** The input and the attachments as local files. */
async function fetchGiven(
  { storage }: Context,
  { files }: Claim,
  directory: string,
): Promise<Pick<RunRequest, 'inputPath' | 'attachmentPaths'>> {
  const input = files.find(({ role }) => role === 'input');
  if (!input) throw new Error('the job has no input');
  const attachments = files.filter(({ role }) => role === 'attachment');
  const paths = attachments.map(
    async ({ name, key }) => [name, await storage.toLocalFile(key, directory)] as const,
  );
  return {
    inputPath: await storage.toLocalFile(input.key, directory),
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

function progressWriter(ctx: Context, claim: Claim): (fraction: number) => void {
  let writtenAtMs = Date.now();
  return (fraction) => {
    if (Date.now() - writtenAtMs < PROGRESS_EVERY_MS) return;
    writtenAtMs = Date.now();
    reportProgress(ctx.db, claim, fraction).catch((err) => ctx.log.warn({ err }, 'progress was not noted'));
  };
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
