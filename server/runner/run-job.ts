import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ATTEMPTS_MAX } from '../../models/job.ts';
import type { Context } from '../context.ts';
import {
  type Attempt,
  claimJob,
  completeJob,
  deleteExpiredFiles,
  type Failure,
  failJob,
  handBackJob,
  type JobResult,
} from '../jobs/index.ts';
import type { Workshop } from './carry-out.ts';
import { patiently } from './patiently.ts';
import { produce } from './produce.ts';
import type { Product } from './work.ts';

/**
 * One attempt at a job. Returning takes the job out of the queue, so it returns only when the job has ended; whatever
 * else happens is thrown, and the queue tries again after a pause that grows.
 */
export async function runJob(shop: Workshop, id: string): Promise<void> {
  const claim = await claimJob(shop.ctx.db, id);
  if (!claim) return;
  const ctx = { ...shop.ctx, log: shop.ctx.log.child({ requestId: id, attempt: claim.attempt }) };
  if (claim.attempt > ATTEMPTS_MAX) return await fail(ctx, claim, ours('the work was interrupted too often'));

  const directory = await makeRunDirectory(ctx, id);
  try {
    const product = await produce({ ...shop, ctx }, claim, directory).catch((err: unknown): Product => {
      ctx.log.error({ err }, 'a run could not be carried out');
      return { next: 'retry', reason: 'the file store is not available' };
    });
    await settle(ctx, claim, product);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  await deleteExpiredFiles(ctx, { jobId: id });
}

/** Where attempts keep their files while they last. */
export function runsDirectory(ctx: Context): string {
  return join(ctx.env.DATA_DIR, 'runs');
}

async function makeRunDirectory(ctx: Context, id: string): Promise<string> {
  await mkdir(runsDirectory(ctx), { recursive: true });
  return await mkdtemp(join(runsDirectory(ctx), `${id}-`));
}

async function settle(ctx: Context, attempt: Attempt, product: Product): Promise<void> {
  switch (product.next) {
    case 'complete':
      return await complete(ctx, attempt, product.result);
    case 'fail':
    case 'run-again':
      return await fail(ctx, attempt, { status: 'FAILED', message: product.message });
    case 'retry':
      if (attempt.attempt >= ATTEMPTS_MAX) return await fail(ctx, attempt, ours(product.reason));
      throw new Error(product.reason);
    case 'hand-back':
      await handBackJob(ctx.db, attempt);
      throw new Error('broken off, since the runner stops');
  }
}

async function complete(ctx: Context, attempt: Attempt, result: JobResult): Promise<void> {
  if (await patiently(() => completeJob(ctx, attempt, result))) {
    return ctx.log.info({ engine: result.engine }, 'job completed');
  }
  await Promise.allSettled(result.files.map(({ key }) => ctx.storage.delete(key)));
  throw new Error('overtaken by another attempt');
}

async function fail(ctx: Context, attempt: Attempt, failure: Failure): Promise<void> {
  if (!(await patiently(() => failJob(ctx, attempt, failure))))
    throw new Error('overtaken by another attempt');
  ctx.log.info(failure, 'job ended without a result');
}

function ours(reason: string): Failure {
  return { status: 'ERROR', message: `${reason}. Nothing was charged; try again later.` };
}
