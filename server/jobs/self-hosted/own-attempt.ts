import { and, eq } from 'drizzle-orm';
import { findModel } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { fieldError, type OperationError } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import { placeOperation } from '../../../models/core/operation/operation-price.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { schema } from '../../base/database/db.ts';
import { renewLease } from '../../base/queue/index.ts';
import { type Attempt, findJob } from '../index.ts';

/** Place of a file among those of a request. */
interface InputPlace {
  readonly role: 'input' | 'attachment';
  readonly position: number;
}

export type OwnJob = NonNullable<Awaited<ReturnType<typeof findJob>>>;

/** Attempt of an account's own worker at a job. */
export interface OwnAttempt extends Attempt {
  readonly job: OwnJob;
  readonly operation: Operation;
  readonly isBatch: boolean;
}

/** Holder of a key, whose jobs a worker runs. */
interface Holder {
  readonly accountId: string;
  /** Models that the key allows; null: every one. */
  readonly operations: readonly string[] | null;
}

const CLAIM_ID = /^([\w-]{1,200})\.(\d{1,9})$/;

export function formatClaimId({ id, attempt }: Attempt): string {
  return `${id}.${attempt}`;
}

/**
 * Finds an attempt, whatever has become of its job.
 * @param claimId names the job, and the number of the attempt that fences it
 * @throws OperationError `not_found` when the account has no such job for self-hosted workers, or the key allows none
 *   of its model
 */
export async function findOwnAttempt(
  ctx: Pick<Context, 'db' | 'operations' | 'env'>,
  { accountId, operations }: Holder,
  claimId: string,
): Promise<OwnAttempt> {
  const [, id = '', attempt = ''] = CLAIM_ID.exec(claimId) ?? [];
  const job = id === '' ? undefined : await findJob(ctx.db, { accountId, id });
  const model = job && findModel(getOperations(ctx), job.operationId);
  const isAllowed = operations === null || operations.some((allowed) => allowed === job?.operationId);
  if (!job || !model || job.runOn !== 'own' || Number(attempt) > job.attempt || !isAllowed) {
    throw fieldError('claim_id', `there is no claim "${claimId}" of this account.`, { code: 'not_found' });
  }
  const { operation, isBatch } = model;
  return { id, attempt: Number(attempt), job, operation: placeOperation(operation, 'own'), isBatch };
}

/**
 * Checks that a worker still has its job, and prolongs its lease.
 * @throws OperationError `conflict` when another worker has the job, or it has ended
 */
export async function holdLease(ctx: Pick<Context, 'db'>, own: OwnAttempt): Promise<void> {
  if (own.job.attempt === own.attempt && (await renewLease(ctx.db, own))) return;
  throw createConflict(own);
}

/** Creates the error for a claim that is over. */
export function createConflict(own: OwnAttempt): OperationError {
  const { id } = own;
  return fieldError('claim_id', `the request "${id}" ${describeEnd(own)}.`, { code: 'conflict', jobId: id });
}

function describeEnd({ attempt, job }: OwnAttempt): string {
  if (job.errorCode === 'canceled') return 'was canceled';
  if (isTerminal(job.status)) return 'has ended';
  if (job.attempt > attempt) return 'was taken by another worker, since this one was silent for too long';
  return 'waits for no worker any more';
}

/**
 * Finds a file of the request that a worker has claimed.
 * @throws OperationError `not_found` when the request has no such file, `conflict` when the claim is over
 */
export async function findInput(ctx: Context, own: OwnAttempt, { role, position }: InputPlace) {
  await holdLease(ctx, own);
  const { files } = schema;
  const isNamed = and(eq(files.jobId, own.id), eq(files.role, role), eq(files.position, position));
  const [file] = await ctx.db.select().from(files).where(isNamed);
  if (file && file.deletedAt === null) return file;
  throw fieldError('position', `the request has no ${role} ${position}.`, { code: 'not_found' });
}

/** Finds the name of the client's own input of a run; null where none is known. */
export async function findInputName(
  { db }: Pick<Context, 'db'>,
  { id }: OwnAttempt,
  { item }: { readonly item: number },
): Promise<string | null> {
  const { files } = schema;
  const isInput = and(eq(files.jobId, id), eq(files.role, 'input'), eq(files.position, item));
  const [input] = await db.select({ fileName: files.fileName }).from(files).where(isInput);
  return input?.fileName ?? null;
}
