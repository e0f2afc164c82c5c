import { createHash } from 'node:crypto';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { nameResult } from '../../../models/core/operation/result-file.ts';
import { isForcedAddress } from '../../../models/test-mode/forced-outcomes.ts';
import type { Context } from '../../base/context.ts';
import {
  type CachedResult,
  copyFiles,
  findCachedResult,
  type StoredFile,
  type Submission,
} from '../../jobs/index.ts';
import { findAvailableEngine } from './assert-engines.ts';
import type { BillableCall } from './billable-call.ts';

/**
 * Computes the cache key of a request: the operation, the params, the bytes of every file, whatever their source, and
 * the engine and weights that would run it now.
 * @returns undefined for an operation without a cache, and for a forced outcome of a test
 */
export async function computeCacheKey(
  { ctx, operation }: Pick<BillableCall, 'ctx' | 'operation'>,
  params: Readonly<Record<string, unknown>>,
  files: readonly Pick<StoredFile, 'name' | 'sha256' | 'sourceUrl'>[],
): Promise<Buffer | undefined> {
  const isForced = files.some(({ sourceUrl }) => sourceUrl !== undefined && isForcedAddress(sourceUrl));
  if (operation.cacheHours === undefined || isForced) return undefined;
  const bytes = files.map(({ name, sha256 }) => [name, sha256.toString('hex')] as const);
  // An attachment's own bytes represent the param that names it.
  const settled = Object.entries({ ...params, ...Object.fromEntries(bytes) }).toSorted();
  const weights = (operation.weights ?? []).map(({ id, sha256 }) => [id, sha256]).toSorted();
  const engine = await findNextEngine(ctx, operation, params);
  return createHash('sha256')
    .update(JSON.stringify([operation.id, settled, engine, weights]))
    .digest();
}

/** Names the engine that would run a request now; null for an operation without engines, and where none is available. */
async function findNextEngine(
  ctx: Context,
  operation: Operation,
  params: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  if (!operation.engines) return null;
  const { engine = 'auto' } = params;
  if (typeof engine === 'string' && engine !== 'auto') return engine;
  try {
    return await findAvailableEngine(ctx, operation, ({ id }) => operation.serves(id, params));
  } catch (thrown) {
    if (thrown instanceof OperationError && thrown.code === 'unavailable') return null;
    throw thrown;
  }
}

/** Earlier result for a request, with copies of its files for the job of that request. */
export interface ReusedResult {
  readonly outcome: CachedResult['outcome'];
  readonly files: readonly StoredFile[];
}

/**
 * Finds the account's earlier result of the same request, unless the request asks for a new one.
 * @param minutesLeftMin how long it must stay available
 */
export async function findCachedRequest(
  { ctx, request, actor, operation }: BillableCall,
  cacheKey: Buffer | undefined,
  minutesLeftMin: number,
): Promise<CachedResult | undefined> {
  if (!cacheKey || /\bno-cache\b/i.test(request.headers.get('cache-control') ?? '')) return undefined;
  const { accountId } = actor;
  const hours = operation.cacheHours ?? 0;
  return await findCachedResult(ctx.db, { accountId, cacheKey, hours, minutesLeftMin });
}

/**
 * Copies the files of an earlier result for another job, named after its own input.
 * @returns undefined when they were deleted in between
 */
export async function reuseResult(
  { ctx, operation }: Pick<BillableCall, 'ctx' | 'operation'>,
  jobId: string,
  { outcome, files }: CachedResult,
  input: Pick<StoredFile, 'fileName'> | undefined,
): Promise<ReusedResult | undefined> {
  const getName = (name: string) => nameResult(operation, input?.fileName ?? null, name);
  try {
    const copies = await copyFiles(ctx, jobId, files, getName);
    return { outcome, files: copies };
  } catch (thrown) {
    if (thrown instanceof OperationError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

/** Deletes copies that no job has got. Never rejects: those that are left are deleted with the other orphans. */
export async function discardCopies(ctx: Context, copies: readonly StoredFile[]): Promise<void> {
  const results = await Promise.allSettled(copies.map(({ key }) => ctx.storage.delete(key)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) ctx.log.warn({ err: failed.reason }, 'copies of a result left for clean-up');
}

/** Describes an earlier result for the job that delivers it again. */
export function describeCachedResult({
  outcome,
  files,
}: Pick<CachedResult, 'outcome' | 'files'>): NonNullable<Submission['cachedResult']> {
  return { outcome, fileKeys: files.map(({ key }) => key) };
}
