import { and, eq } from 'drizzle-orm';
import { fieldError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';
import { holdLease, type OwnAttempt } from './own-attempt.ts';

/** Place of a file among those of a request. */
export interface InputPlace {
  readonly role: 'input' | 'attachment';
  readonly position: number;
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
