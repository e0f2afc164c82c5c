import { OperationError } from '../../models/core/operation/errors.ts';
import type { Context } from '../base/context/context.ts';
import { jsonResponse } from './transport/problem.ts';

/** Responds 200 once jobs can be accepted: the database responds and the store accepts objects. */
export async function getHealth(ctx: Context): Promise<Response> {
  try {
    // A tagged statement does not wait for the end of an outage.
    await Promise.all([ctx.db.$client`select 1 from jobs limit 1`, ctx.storage.check()]);
  } catch (cause) {
    throw new OperationError('unavailable', 'The database or the store does not respond.', { cause });
  }
  return jsonResponse(200, { status: 'ok' });
}
