import type { Context } from '../../base/context.ts';
import { signText } from '../../base/secrets/index.ts';
import { grantFreeCredit } from '../../money/wallet/index.ts';

/**
 * Gives a user who has proved to own an e-mail address the free credit of the terms. Call it whenever that happens: the
 * credit comes once for an account and an address, even after the account was deleted. Never fails: a sign-up counts
 * for more than its credit.
 */
export async function grantWelcomeCredit(
  { env, db, log }: Pick<Context, 'env' | 'db' | 'log'>,
  { accountId, email }: { readonly accountId: string; readonly email: string },
): Promise<void> {
  const amount = env.TERMS.freeCredit;
  if (amount === 0n) return;
  try {
    const recipient = await signText(db, 'free-credit', normalizeMailbox(email));
    await grantFreeCredit(db, { accountId, amount, recipient });
  } catch (err) {
    log.error({ err, accountId }, 'free credit not granted');
  }
}

/** Returns the mailbox of an address: `Ada+shop@Example.com` is read where `ada@example.com` is. */
function normalizeMailbox(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*(?=@)/, '');
}
