import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../base/context.ts';
import { type Executor, schema } from '../../base/database/db.ts';

/** Entry with the address of the first user; empty once that user is deleted. */
const OWNER = 'owner';
const GONE = Buffer.alloc(0);

type OwnerContext = Pick<Context, 'env' | 'db'>;

/**
 * Reports whether this is a local install that has never had an owner: its first user becomes that, and needs no link
 * by e-mail. With OWNER_EMAILS it is not: everybody proves an address then.
 */
export async function hasNoServiceOwner({ env, db }: OwnerContext): Promise<boolean> {
  if (!env.EMBEDDED_DATABASE || env.OWNER_EMAILS.length > 0) return false;
  const { users, serviceSecrets } = schema;
  const wasOwned = and(eq(serviceSecrets.name, OWNER), eq(serviceSecrets.secret, GONE));
  if ((await db.$count(serviceSecrets, wasOwned)) > 0) return false;
  const [user] = await db.select({ id: users.id }).from(users).limit(1);
  return user === undefined;
}

/**
 * Reports whether a new user may sign in without proving the address. An account that exists already, with its money,
 * belongs to the reader of its mail.
 */
export async function canSkipVerification(ctx: OwnerContext, email: string): Promise<boolean> {
  if (!(await hasNoServiceOwner(ctx))) return false;
  const { accounts, serviceSecrets } = schema;
  // Of several sign-ups at the same time the first one only.
  const secret = Buffer.from(email.toLowerCase());
  await ctx.db.insert(serviceSecrets).values({ name: OWNER, secret }).onConflictDoNothing();
  const [claim] = await ctx.db.select().from(serviceSecrets).where(eq(serviceSecrets.name, OWNER));
  if (!claim?.secret.equals(secret)) return false;
  const [known] = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(sql`lower(${accounts.email})`, email.toLowerCase()));
  return known === undefined;
}

/** Reports whether a signed-in user owns the service: by OWNER_EMAILS, or as the first user of a local install. */
export async function isServiceOwner(
  { env, db }: OwnerContext,
  { email }: { email: string },
): Promise<boolean> {
  const own = email.toLowerCase();
  if (env.OWNER_EMAILS.length > 0) return env.OWNER_EMAILS.includes(own);
  if (!env.EMBEDDED_DATABASE) return false;
  const { serviceSecrets } = schema;
  const isClaim = and(eq(serviceSecrets.name, OWNER), eq(serviceSecrets.secret, Buffer.from(own)));
  return (await db.$count(serviceSecrets, isClaim)) > 0;
}

/** Lets the first user stay the owner under another address. Call it before the account's own address changes. */
export async function changeServiceOwnerAddress(
  tx: Executor,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  await tx.execute(sql`
    update service_secrets set secret = convert_to(lower(${email}), 'UTF8') where name = ${OWNER}
      and secret in (select convert_to(lower(email), 'UTF8') from accounts where id = ${accountId})`);
}

/**
 * Forgets who signed up first, when that is a user of this account. No one signs up into that place afterwards: it
 * would be anyone who finds the page. Call it before the account's users are deleted.
 */
export async function retireServiceOwner(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update service_secrets set secret = ${GONE} where name = ${OWNER}
      and secret in (select convert_to(lower(email), 'UTF8') from users where account_id = ${accountId})`);
}
