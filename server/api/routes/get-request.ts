import { z } from 'zod';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import type { Context } from '../../base/context.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { awaitJobEnd, getJob } from '../../jobs/index.ts';
import { isStillPermitted, nameJob } from '../job-access.ts';
import { jobViewSchema } from '../job-view-schema.ts';
import { describeProblems, describeResponse, JOB_ID } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { getProcessLimits, WAIT_SECONDS_MAX } from '../transport/process-limits.ts';
import { readWaitSeconds } from '../transport/read-request.ts';

const headersSchema = z.object({
  Prefer: z.string().optional().meta({
    description: 'wait=<seconds> asks to hold the response until the job has ended.',
    example: 'wait=10',
  }),
});

/**
 * The job. `Prefer: wait=<seconds>` (RFC 7240, section 4.3) holds the response until the job has ended, at most so long
 * and at most `WAIT_SECONDS_MAX`. It is a wish: a HEAD request, a value that is no whole number, and an account
 * whose waiting requests are too many get the state at once.
 */
export const getRequest = defineRoute({
  method: 'GET',
  path: '/v2/requests/status/{request_id}',
  permission: 'jobs.see',
  isForTokens: true,
  docs: {
    operationId: 'getRequestStatus',
    tag: 'jobs',
    summary: 'State of a job',
    description: `Poll it every 5 to 10 seconds until the job has ended. \`Prefer: wait=10\` holds the response until then, for at most so many seconds and at most ${WAIT_SECONDS_MAX}. An account that waits in too many requests gets the state at once.`,
    requestParams: { ...JOB_ID, header: headersSchema },
    responses: {
      '200': describeResponse('The job.', jobViewSchema),
      ...describeProblems(['unauthorized', 'not_found', 'too_many_requests']),
    },
  },
  async handle({ ctx, request, actor, segment: id }) {
    // 1. Find the job.
    const job = await getJob(ctx, nameJob(actor, id));
    // 2. Wait for its end, if the request would like to and the account may.
    const seconds = request.method === 'HEAD' ? 0 : readWaitSeconds(request);
    const place = seconds > 0 && !isTerminal(job.status) ? takePlace(ctx, actor) : undefined;
    if (!place) return jsonResponse(200, job);
    try {
      return jsonResponse(200, await waitForEnd(ctx, { actor, job, seconds, left: request.signal }));
    } finally {
      place.release();
    }
  },
});

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
  await awaitJobEnd(ctx, id, createTimeoutSignal(seconds * 1000, left, ctx.stopping));
  if (!(await isStillPermitted(ctx, actor, 'jobs.see'))) return job;
  return await getJob(ctx, nameJob(actor, id));
}
