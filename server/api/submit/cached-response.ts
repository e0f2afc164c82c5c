import { createHash } from 'node:crypto';
import { findEngineLicence } from '../../../models/core/device/fit.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { isForcedAddress } from '../../../models/test-mode/forced-outcomes.ts';
import {
  buildResult,
  type CachedResult,
  createUrlBuilder,
  findCachedResult,
  type StoredFile,
  type Submission,
} from '../../jobs/index.ts';
import type { BillableCall } from './billable-call.ts';
import type { RecordedResponse } from './idempotency.ts';

/**
 * Computes the cache key of a request: the operation, the params, and the bytes of every file, whatever their source.
 * @returns undefined for an operation without a cache, and for a forced outcome of a test
 */
export function computeCacheKey(
  { operation }: BillableCall,
  params: Readonly<Record<string, unknown>>,
  files: readonly Pick<StoredFile, 'name' | 'sha256' | 'sourceUrl'>[],
): Buffer | undefined {
  const isForced = files.some(({ sourceUrl }) => sourceUrl !== undefined && isForcedAddress(sourceUrl));
  if (operation.cacheHours === undefined || isForced) return undefined;
  const bytes = files.map(({ name, sha256 }) => [name, sha256.toString('hex')] as const);
  // An attachment's own bytes represent the param that names it.
  const settled = Object.entries({ ...params, ...Object.fromEntries(bytes) }).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([operation.id, settled]))
    .digest();
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

/** Describes a cached result for a job that delivers it again. */
export function describeCachedResult({
  outcome,
  files,
}: CachedResult): NonNullable<Submission['cachedResult']> {
  return { outcome, fileKeys: files.map(({ key }) => key) };
}

/** Builds the response to a request with a cached result. */
export async function buildCachedResponse(
  { ctx, operation }: BillableCall,
  cached: CachedResult,
): Promise<RecordedResponse> {
  const { jobId, outcome, files } = cached;
  const { engine } = outcome;
  const warnings = getMessages(outcome.warnings);
  const urls = files.map(await createUrlBuilder(ctx));
  const result = operation.response
    ? buildResult(operation.response, outcome, urls, 0n)
    : { media_url: urls };
  const engine_licence = findEngineLicence(operation, engine);
  return {
    status: 200,
    body: { ...result, request_id: jobId, engine, engine_licence, warnings, cached: true },
  };
}
