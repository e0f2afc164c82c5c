import { createHash } from 'node:crypto';
import { createRequestId } from '../../../models/core/operation/job.ts';
import { readHealth } from '../../../server/api/trpc/read-health.ts';
import type { Context } from '../../../server/base/context.ts';
import { listDueEntries, readQueueDepth, releaseAbandonedEntries } from '../../../server/base/queue/index.ts';
import type { Actor } from '../../../server/identity/keys/index.ts';
import {
  assertStorageQuota,
  type Claim,
  claimQueuedJob,
  completeJob,
  countJobs,
  endOverdueJobs,
  expectedRunSeconds,
  findCachedResult,
  type StoredFile,
  submitJob,
} from '../../../server/jobs/index.ts';
import { LOOKAHEAD } from '../../../server/jobs/runner/dispatcher.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import type { Queries } from '../dashboard-queries.ts';

const WORKER = 'filled';
const MODEL = 'media-convert-image';

/** Steps of the service by how often they happen. */
export interface ServiceSteps {
  /** Steps of every job, in the order of its life. */
  readonly ofJobs: Queries;
  /** Reads of requests and of the processes. */
  readonly reads: Queries;
  /** Regular work of the whole service, and its health page. */
  readonly upkeep: Queries;
}

/**
 * Lists the steps of the service, each through the product's own functions.
 * @param actors whose jobs are accepted, in turn
 */
export function listServiceSteps(ctx: Context, actors: readonly Actor[]): ServiceSteps {
  const actorAt = (index: number): Actor => actors[index % actors.length] ?? fail('there is no account');
  return {
    ofJobs: stepsOfJobs(ctx, actorAt),
    reads: getReads(ctx, actorAt),
    upkeep: {
      'lane depths': () => readQueueDepth(ctx.db),
      'jobs of a day for metrics': () => countJobs(ctx.db),
      'health page': () => readHealth(ctx),
      'sweep of dead runners': () => releaseAbandonedEntries(ctx.db),
      'reconcile the ledger': async () => {
        const { faults } = await reconcileBalances(ctx.db);
        if (faults[0]) throw new Error(faults[0]);
      },
    },
  };
}

function stepsOfJobs(ctx: Context, actorAt: (index: number) => Actor): Queries {
  let count = 0;
  let claim: Claim | undefined;
  return {
    accept: () => submitJob(ctx, describeSubmission(actorAt(count++))),
    claim: async () => {
      claim = await claimNext(ctx);
    },
    complete: () => completeClaim(ctx, claim ?? fail('nothing was claimed')),
  };
}

function describeSubmission(actor: Actor) {
  const id = createRequestId(MODEL, Date.now());
  return {
    id,
    actor,
    modelId: MODEL,
    params: { to_format: 'webp' },
    facts: { width: 1200, height: 800 },
    lane: 'interactive' as const,
    price: 2000n,
    files: [{ ...describeFile(`inputs/${id}/file`), role: 'input' as const, position: 0 }],
  };
}

/** Claims the lane's next job as a runner does: looks for it, takes it. */
async function claimNext({ db }: Context): Promise<Claim> {
  const [entry] = await listDueEntries(db, 'interactive', { limit: LOOKAHEAD });
  return (entry && (await claimQueuedJob(db, entry, WORKER))) || fail('the queue has nothing to claim');
}

/** Completes a claimed job with one small file. */
export async function completeClaim(ctx: Context, claim: Claim): Promise<void> {
  const result = { files: [describeFile(`outputs/${claim.id}/file`)], engine: 'codec', warnings: [] };
  if (!(await completeJob(ctx, claim, result))) fail('a job was not completed');
}

function describeFile(key: string): StoredFile {
  const sha256 = createHash('sha256').update(key).digest();
  return { key, name: 'file.webp', mediaType: 'image/webp', bytes: 150_000, sha256 };
}

function getReads(ctx: Context, actorAt: (index: number) => Actor): Queries {
  let count = 0;
  const next = () => actorAt(count++);
  const cacheKey = Buffer.alloc(32);
  return {
    'look for due jobs': () => listDueEntries(ctx.db, 'interactive', { limit: LOOKAHEAD }),
    balance: () => readBalance(ctx.db, next().accountId),
    'storage quota': () => assertStorageQuota(ctx, next().accountId),
    'cached result': () =>
      findCachedResult(ctx.db, { accountId: next().accountId, cacheKey, hours: 24, minutesLeftMin: 5 }),
    'expected run time': () => expectedRunSeconds(ctx.db, { operationId: MODEL, price: 2000n }),
    'overdue jobs': () => endOverdueJobs(ctx),
  };
}

function fail(reason: string): never {
  throw new Error(reason);
}
