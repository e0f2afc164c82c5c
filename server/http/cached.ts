import { createHash } from 'node:crypto';
import { findCached, type GivenFile, getJob } from '../jobs/index.ts';
import type { Call } from './answer-once.ts';
import type { Answer } from './idempotency.ts';
import { answerOf } from './in-request.ts';

/**
 * What the result of a request depends on: the operation, the params, and the bytes of every file, wherever they came
 * from.
 * @returns undefined for an operation whose results are not used again
 */
export function cacheKeyOf(
  { operation }: Call,
  params: Readonly<Record<string, unknown>>,
  files: readonly GivenFile[],
): Buffer | undefined {
  if (operation.cacheHours === undefined) return undefined;
  const bytes = files.map(({ name, sha256 }) => [name, sha256.toString('hex')] as const);
  // An attachment's own bytes stand for the param that names it.
  const settled = Object.entries({ ...params, ...Object.fromEntries(bytes) }).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([operation.id, settled]))
    .digest();
}

/** The answer that the account got for the same before, unless the request asks for a new one. */
export async function cachedAnswer(call: Call, cacheKey: Buffer | undefined): Promise<Answer | undefined> {
  const { ctx, request, actor, operation } = call;
  if (!cacheKey || /\bno-cache\b/i.test(request.headers.get('cache-control') ?? '')) return undefined;
  const { accountId } = actor;
  const id = await findCached(ctx.db, { accountId, cacheKey, hours: operation.cacheHours ?? 0 });
  if (id === undefined) return undefined;
  const answer = answerOf(operation, await getJob(ctx, { accountId, id }), { cached: true });
  return answer.status === 200 ? answer : undefined;
}
