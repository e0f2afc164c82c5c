import { eq, inArray } from 'drizzle-orm';
import { type Executor, schema } from '../database/db.ts';

/** Removes the entry of a job or delivery that has ended, in the transaction that ends it. */
export async function removeEntry(db: Executor, id: string): Promise<void> {
  await db.delete(schema.queueEntries).where(eq(schema.queueEntries.id, id));
}

/** Removes the entries of accounts that are deleted. */
export async function removeEntriesOf(db: Executor, accountIds: readonly string[]): Promise<void> {
  await db.delete(schema.queueEntries).where(inArray(schema.queueEntries.accountId, [...accountIds]));
}
