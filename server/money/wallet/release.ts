import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Executor } from '../../base/database/db.ts';

/**
 * Releases the whole hold to the wallet.
 * @throws OperationError `conflict` when there is no open hold
 */
export async function release(db: Executor, { reference }: { reference: string }): Promise<void> {
  const released = await db.execute(sql`
    update holds set state = 'released', settled_at = now()
    where reference = ${reference} and state = 'open'
    returning id`);
  if (released.length === 0) throw new OperationError('conflict', `${reference} has no open hold.`);
}
