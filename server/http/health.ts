import { sql } from 'drizzle-orm';
import { OperationError } from '../../models/errors.ts';
import type { Context } from '../context.ts';
import { json } from './problem.ts';

/** 200 once jobs can be taken: the database answers and the store takes objects. */
export async function health(ctx: Context): Promise<Response> {
  try {
    await Promise.all([ctx.db.execute(sql`select 1 from jobs limit 1`), ctx.storage.check()]);
  } catch (cause) {
    throw new OperationError('unavailable', 'The database or the store does not answer.', { cause });
  }
  return json(200, { status: 'ok' });
}
