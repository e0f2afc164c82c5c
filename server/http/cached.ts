import { createHash } from 'node:crypto';
import { type CachedResult, findCached, resultOf, resultUrls, type StoredFile } from '../jobs/index.ts';
import type { Call } from './answer-once.ts';
import type { Answer } from './idempotency.ts';

/**
 * What the result of a request depends on: the operation, the params, and the bytes of every file, wherever they came
 * from.
 * @returns undefined for an operation whose results are not used again
 */
export function cacheKeyOf(
  { operation }: Call,
  params: Readonly<Record<string, unknown>>,
  files: readonly Pick<StoredFile, 'name' | 'sha256'>[],
): Buffer | undefined {
  if (operation.cacheHours === undefined) return undefined;
  const bytes = files.map(({ name, sha256 }) => [name, sha256.toString('hex')] as const);
  // An attachment's own bytes stand for the param that names it.
  const settled = Object.entries({ ...params, ...Object.fromEntries(bytes) }).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([operation.id, settled]))
    .digest();
}

/**
 * The result that the account got for the same before, unless the request asks for a new one.
 * @param minutesLeftMin how long it must stay
 */
export async function cachedResult(
  { ctx, request, actor, operation }: Call,
  cacheKey: Buffer | undefined,
  minutesLeftMin: number,
): Promise<CachedResult | undefined> {
  if (!cacheKey || /\bno-cache\b/i.test(request.headers.get('cache-control') ?? '')) return undefined;
  const { accountId } = actor;
  const hours = operation.cacheHours ?? 0;
  return await findCached(ctx.db, { accountId, cacheKey, hours, minutesLeftMin });
}

/** The answer of an operation to a request whose result is there already. */
export async function cachedAnswer({ ctx, operation }: Call, cached: CachedResult): Promise<Answer> {
  const { jobId, outcome, file } = cached;
  const { engine, warnings } = outcome;
  const url = (await resultUrls(ctx))(file);
  const result = operation.result ? resultOf(operation.result, outcome, url) : { output_url: url };
  return { status: 200, body: { ...result, request_id: jobId, engine, warnings, cached: true } };
}
