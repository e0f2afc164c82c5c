import { sql } from 'drizzle-orm';
import { createRequestId } from '../../../models/core/operation/job.ts';
import type { Context } from '../../../server/base/context.ts';
import { schema } from '../../../server/base/database/db.ts';
import type { Actor } from '../../../server/identity/keys/index.ts';
import {
  abandonJob,
  type Claim,
  cancelJob,
  claimJob,
  claimLeasedJob,
  claimQueuedJob,
  completeJob,
  endOverdueJobs,
  failJob,
  findQueuedOutputs,
  getJob,
  OVERDUE,
  queueOutputs,
  requeueJob,
  requeueOwnJob,
  retryOwnJob,
  type StoredFile,
  type Submission,
  submitJob,
} from '../../../server/jobs/index.ts';
import { OPERATIONS } from '../operations/test-operations.ts';

const operation = OPERATIONS['test-run'];
/** Runner that lives, though another process dies. */
export const LIVING = 'living';
/** Runner that dies. */
export const DYING = 'dying';

/** Job that a transition is about to move. */
export interface PreparedJob {
  readonly id: string;
  readonly actor: Actor;
  /** Number of its newest attempt; 0 before the first. */
  readonly attempt: number;
}

/** Transition of a job, from one state to another. */
export interface TransitionCase {
  /** Brings a new job into the state before. */
  prepare(ctx: Context, actor: Actor): Promise<PreparedJob>;
  /** Moves the job, in a process that may die. */
  move(ctx: Context, job: PreparedJob): Promise<unknown>;
}

const RESULT = { engine: 'test', warnings: [] };
const FAILURE = { status: 'FAILED', message: 'the image is damaged', code: 'unprocessable' } as const;
const TARGET = 'https://bucket.example.com/result?signature=secret';

export function describeOutput(id: string, attempt: number): StoredFile {
  const key = `outputs/${id}/${attempt}/a.png`;
  return { key, name: 'a.png', mediaType: 'image/png', bytes: 3, sha256: Buffer.alloc(32) };
}

function describeSubmission(actor: Actor, id: string, options: Partial<Submission> = {}): Submission {
  const input = { ...describeOutput(id, 0), key: `inputs/${id}/file` };
  return {
    id,
    actor,
    modelId: operation.id,
    params: { behaviour: 'copy' },
    facts: {},
    price: 2_000n,
    lane: 'interactive',
    files: [{ ...input, role: 'input', position: 0 }],
    webhookUrl: 'https://example.com/hook',
    ...options,
  };
}

const newJob = (actor: Actor): PreparedJob => ({
  id: createRequestId(operation.id, Date.now()),
  actor,
  attempt: 0,
});

/** Accepts a job. */
const queued = (options: Partial<Submission> = {}) => {
  return async (ctx: Context, actor: Actor): Promise<PreparedJob> => {
    const job = newJob(actor);
    await submitJob(ctx, describeSubmission(actor, job.id, options));
    return job;
  };
};

/** Accepts a job, which a runner then takes. */
const running = (workerId: string, options: Partial<Submission> = {}) => {
  return async (ctx: Context, actor: Actor): Promise<PreparedJob> => {
    const job = await queued(options)(ctx, actor);
    return { ...job, attempt: expectClaim(await claimFor(ctx, job, workerId)).attempt };
  };
};

/** Accepts a job, which a self-hosted worker then takes. */
const leased = async (ctx: Context, actor: Actor): Promise<PreparedJob> => {
  const job = await queued({ place: 'own' })(ctx, actor);
  await leaseFor(ctx, job);
  return { ...job, attempt: 1 };
};

/** Accepts a job whose result then waits for its delivery to the client's bucket, which a runner begins. */
const delivering = (isStored: boolean) => {
  return async (ctx: Context, actor: Actor): Promise<PreparedJob> => {
    const job = await running(DYING, { targets: { urls: [TARGET], isStored } })(ctx, actor);
    await queueOutputs(ctx.db, job, { files: [describeOutput(job.id, 1)], ...RESULT });
    await ctx.db.execute(sql`update queue_entries set locked_by = ${DYING} where id = ${job.id}`);
    return job;
  };
};

/** Accepts and takes a job whose deadline has passed. */
const late = (prepare: TransitionCase['prepare']) => {
  return async (ctx: Context, actor: Actor): Promise<PreparedJob> => {
    const job = await prepare(ctx, actor);
    await ctx.db.update(schema.jobs).set({ deadlineAt: sql`now()` }).where(sql`id = ${job.id}`);
    return job;
  };
};

function claimFor({ db }: Context, { id, actor }: PreparedJob, workerId: string) {
  return claimQueuedJob(db, { id, lane: 'interactive', accountId: actor.accountId }, workerId);
}

async function leaseFor({ db }: Context, { actor }: PreparedJob) {
  return await claimLeasedJob(db, {
    accountId: actor.accountId,
    modelIds: [operation.id],
    worker: 'studio',
  });
}

function expectClaim(claim: Claim | undefined): Claim {
  if (!claim) throw new Error('there is nothing to claim');
  return claim;
}

const complete = (ctx: Context, job: PreparedJob) =>
  completeJob(ctx, job, { files: [describeOutput(job.id, job.attempt)], ...RESULT });
const getAccount = ({ id, actor: { accountId } }: PreparedJob) => ({ id, accountId });
const delivery = (status: 'delivered' | 'failed') =>
  ({ url: TARGET, status, attempts: 1, httpStatus: 200, error: null }) as const;

/** Each transition of the table in `server/jobs/lifecycle/transitions.ts`, from each kind of state that it leaves. */
export const TRANSITIONS = {
  accept: {
    prepare: async (_ctx, actor) => newJob(actor),
    move: (ctx, { id, actor }) => submitJob(ctx, describeSubmission(actor, id)),
  },
  claim: { prepare: queued(), move: (ctx, job) => claimFor(ctx, job, DYING) },
  'claim by a self-hosted worker': { prepare: queued({ place: 'own' }), move: leaseFor },
  complete: { prepare: running(DYING), move: complete },
  'complete by a self-hosted worker': { prepare: leased, move: complete },
  'complete too late': { prepare: late(running(DYING)), move: complete },
  'queue outputs': {
    prepare: running(DYING, { targets: { urls: [TARGET], isStored: true } }),
    move: (ctx, job) => queueOutputs(ctx.db, job, { files: [describeOutput(job.id, 1)], ...RESULT }),
  },
  'complete with delivered outputs': {
    prepare: delivering(true),
    move: (ctx, job) =>
      completeJob(ctx, job, { files: [], ...RESULT }, { outputDeliveries: [delivery('delivered')] }),
  },
  'fail with undelivered outputs': {
    prepare: delivering(false),
    move: (ctx, job) => failJob(ctx, job, FAILURE, { outputDeliveries: [delivery('failed')] }),
  },
  fail: { prepare: running(DYING), move: (ctx, job) => failJob(ctx, job, FAILURE) },
  'fail by a self-hosted worker': { prepare: leased, move: (ctx, job) => failJob(ctx, job, FAILURE) },
  retry: {
    prepare: running(DYING),
    move: (ctx, job) => requeueJob(ctx.db, job, DYING, { isCounted: true, hasFailed: true }),
  },
  'requeue by an orderly stop': {
    prepare: running(DYING),
    move: (ctx, job) => requeueJob(ctx.db, job, DYING, { isCounted: false, hasFailed: false }),
  },
  'requeue by a self-hosted worker': { prepare: leased, move: (ctx, job) => requeueOwnJob(ctx.db, job) },
  'retry by a self-hosted worker': { prepare: leased, move: (ctx, job) => retryOwnJob(ctx.db, job) },
  'cancel a queued job': { prepare: queued(), move: (ctx, job) => cancelJob(ctx, getAccount(job)) },
  'cancel a running job': { prepare: running(LIVING), move: (ctx, job) => cancelJob(ctx, getAccount(job)) },
  'cancel a job that a self-hosted worker runs': {
    prepare: leased,
    move: (ctx, job) => cancelJob(ctx, getAccount(job)),
  },
  'cancel a delivery': { prepare: delivering(true), move: (ctx, job) => cancelJob(ctx, getAccount(job)) },
  abandon: {
    prepare: running(LIVING),
    move: (ctx, { id }) => abandonJob(ctx, id, OVERDUE, { isLeft: true }),
  },
  'end an overdue job': { prepare: late(queued()), move: endOverdueJobs },
  'end an overdue job that a client reads': {
    prepare: late(running(LIVING)),
    move: (ctx, job) => getJob(ctx, getAccount(job)),
  },
} satisfies Readonly<Record<string, TransitionCase>>;

export type TransitionName = keyof typeof TRANSITIONS;

/**
 * Finishes a job as any healthy process does, from whatever state a dead one has left. The database has noticed the
 * death: what the dead runner had is free.
 */
export async function finishJob(ctx: Context, job: PreparedJob): Promise<void> {
  const [entry] = await ctx.db.select().from(schema.queueEntries).where(sql`id = ${job.id}`);
  if (entry?.lockedBy === LIVING) {
    await complete(ctx, job);
    return;
  }
  if (!entry) return;
  if (entry.lockedBy !== null) throw new Error('an entry is kept by no living worker');
  if (entry.lane === 'output') {
    const outputs = await findQueuedOutputs(ctx.db, job.id);
    if (outputs) await completeJob(ctx, outputs, outputs.result);
    return;
  }
  const claim = expectClaim(await claimJob(ctx.db, job.id));
  await complete(ctx, { ...job, attempt: claim.attempt });
}
