import { eq } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';

/**
 * Ends all sessions, passkeys and open links of a user with a new password: another person may hold them.
 */
export async function endAccess(tx: Executor, userId: string): Promise<void> {
  const { sessions, passkeys, verifications } = schema;
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  await tx.delete(verifications).where(eq(verifications.value, userId));
}
