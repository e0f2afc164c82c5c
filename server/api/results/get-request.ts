import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import { createTimeoutSignal } from '../../base/timeout-signal.ts';
import type { Context } from '../../base/context/context.ts';
import { awaitJobEnd, getJob } from '../../jobs/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { STATUS_WAIT_SECONDS_MAX } from '../limits/limits.ts';
import { getProcessLimits } from '../limits/process-limits.ts';
import { jsonResponse } from '../transport/problem.ts';
import { readPreferences } from '../transport/read-preferences.ts';
import { canStillSee } from './can-still-see.ts';

/**
 * Handles GET /v2/requests/status/<id>: the job. `Prefer: wait=<seconds>` (RFC 7240, section 4.3) holds the response
 * until the job has ended, at most so long and at most `STATUS_WAIT_SECONDS_MAX`. It is a wish: a HEAD request, a value
 * that is no whole number, and an account whose waiting requests are too many get the state at once.
 * @throws OperationError `not_found`
 */
export async function getRequest(
  ctx: Context,
  request: Request,
  actor: Actor,
  id: string,
): Promise<Response> {
  const named = { accountId: actor.accountId, id };
  const job = await getJob(ctx, named);
  const seconds = request.method === 'HEAD' ? 0 : readWaitSeconds(request);
  const place = seconds > 0 && !isTerminal(job.status) ? takePlace(ctx, actor) : undefined;
  if (!place) return jsonResponse(200, job);
  try {
    return jsonResponse(200, await waitForEnd(ctx, { actor, job, seconds, left: request.signal }));
  } finally {
    place.release();
  }
}

function readWaitSeconds(request: Request): number {
  const wait = readPreferences(request).get('wait') ?? '';
  return /^\d{1,9}$/.test(wait) ? Math.min(Number(wait), STATUS_WAIT_SECONDS_MAX) : 0;
}

function takePlace({ env }: Context, { accountId }: Actor) {
  return getProcessLimits(env).waits.tryAcquire(accountId, 1);
}

interface Awaited {
  readonly actor: Actor;
  /** State so far. */
  readonly job: JobView;
  readonly seconds: number;
  /** Aborts when the client leaves. */
  readonly left: AbortSignal;
}

/** Returns the newest state at the end of the job or of the time; the one so far to whom may no longer see the job. */
async function waitForEnd(ctx: Context, { actor, job, seconds, left }: Awaited): Promise<JobView> {
  const id = job.request_id;
  const stops = [left, ...(ctx.stopping ? [ctx.stopping] : [])];
  await awaitJobEnd(ctx, id, createTimeoutSignal(seconds * 1000, ...stops));
  if (!(await canStillSee(ctx, actor))) return job;
  return await getJob(ctx, { accountId: actor.accountId, id });
}
