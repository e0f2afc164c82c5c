import { setTimeout as wait } from 'node:timers/promises';
import { OperationError } from '../../../../models/core/operation/errors.ts';
import type { Context } from '../../../base/context/context.ts';
import { OutageError } from '../../../base/outage.ts';
import { addressRules, putFile } from '../../../io/fetching/index.ts';
import type { QueuedOutputs, StoredDelivery } from '../../index.ts';

/** Time for the response to an attempt, and the slowest rate at which its file may leave. */
const RESPONSE_MS = 30_000;
const BYTES_PER_MS_MIN = 1_000;
/** Pause after a failed attempt, which doubles up to the longest. */
const PAUSE_MS = { first: 1_000, max: 30_000 };

export interface DeliveryOptions {
  /** Time in which attempts may begin. */
  readonly retryWindowMs: number;
  readonly signal: AbortSignal;
  /** Called with the outcome of each attempt. */
  readonly onAttempt: (delivery: StoredDelivery) => Promise<void>;
}

/**
 * Puts a file to the client's URL: again after a status of 5xx or without a response, until time is up. Any other
 * status ends it at once.
 * @returns the settled delivery
 * @throws OutageError; OperationError of the store; the signal's reason once aborted
 */
export async function deliverFile(
  ctx: Context,
  file: QueuedOutputs['files'][number],
  delivery: StoredDelivery,
  { retryWindowMs, signal, onAttempt }: DeliveryOptions,
): Promise<StoredDelivery> {
  const endMs = performance.now() + retryWindowMs;
  let current = delivery;
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.max)) {
    const leftMs = Math.max(0, endMs - performance.now());
    const timeoutMs = Math.min(RESPONSE_MS, leftMs) + file.bytes / BYTES_PER_MS_MIN;
    current = {
      ...current,
      attempts: current.attempts + 1,
      ...(await attempt(ctx, file, current.url, { timeoutMs, signal })),
    };
    if (current.status !== 'pending') return current;
    if (performance.now() + pauseMs >= endMs) return { ...current, status: 'failed' };
    await onAttempt(current);
    await wait(pauseMs, undefined, { signal });
  }
}

/** Makes one attempt. `pending`: another one may succeed. */
async function attempt(
  ctx: Context,
  { key, bytes, mediaType }: QueuedOutputs['files'][number],
  url: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Pick<StoredDelivery, 'status' | 'httpStatus' | 'error'>> {
  const { stream: body } = await ctx.storage.get(key);
  try {
    const options = { body, bytes, mediaType, timeoutMs, signal, ...addressRules(ctx.env) };
    return describeResponse(await putFile(url, options));
  } catch (thrown) {
    if (!(thrown instanceof OperationError) || thrown instanceof OutageError) throw thrown;
    return { status: 'pending', httpStatus: null, error: thrown.message };
  }
}

function describeResponse(httpStatus: number): Pick<StoredDelivery, 'status' | 'httpStatus' | 'error'> {
  if (httpStatus >= 200 && httpStatus < 300) return { status: 'delivered', httpStatus, error: null };
  const isRedirect = httpStatus >= 300 && httpStatus < 400;
  const advice = isRedirect ? 'redirects are not followed' : 'instead of 2xx';
  const error = `responded with status ${httpStatus}${isRedirect ? ': ' : ' '}${advice}.`;
  return { status: httpStatus >= 500 ? 'pending' : 'failed', httpStatus, error };
}
