import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { eq, lt, sql } from 'drizzle-orm';
import type { ProcessOutage, ProcessPart } from '../../../drizzle/schema.ts';
import type { Breakers } from '../../base/breakers.ts';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';
import { describeProcess } from './describe-process.ts';

/** Pause between two signs of life. */
const HEARTBEAT_EVERY_MS = 10_000;
/** After this a process that ended without a word is forgotten. */
const FORGOTTEN_HOURS = 24;

/**
 * Reports now and regularly that this process lives, for the owner's page. A failure is logged and nothing else: the
 * process works without it.
 * @param breakers of the process, which tell of outages that it sees
 * @returns a function that stops it, and removes the process from the list
 */
export async function startHeartbeats(
  ctx: Context,
  part: ProcessPart,
  breakers?: Breakers,
): Promise<() => Promise<void>> {
  const process = { id: randomUUID(), part, startedAt: new Date() };
  let beating: Promise<void> | undefined;
  const beat = (): Promise<void> => {
    beating ??= writeHeartbeat(ctx, process, breakers?.listOpen())
      .catch((err: unknown) => ctx.log.warn({ err }, 'the sign of life was not written'))
      .finally(() => {
        beating = undefined;
      });
    return beating;
  };
  await beat();
  const timer = setInterval(() => void beat(), HEARTBEAT_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await beating;
    const { processes } = schema;
    await ctx.db
      .delete(processes)
      .where(eq(processes.id, process.id))
      .catch((err: unknown) => ctx.log.warn({ err }, 'the process stays in the list for a while'));
  };
}

async function writeHeartbeat(
  { db, env }: Context,
  own: Pick<typeof schema.processes.$inferInsert, 'id' | 'part' | 'startedAt'>,
  outages: readonly ProcessOutage[] = [],
): Promise<void> {
  const { processes } = schema;
  const facts = { ...(await describeProcess(env)), outages };
  await db
    .insert(processes)
    .values({ ...own, host: hostname(), pid: process.pid, facts })
    .onConflictDoUpdate({ target: processes.id, set: { facts, beatAt: sql`now()` } });
  await db
    .delete(processes)
    .where(lt(processes.beatAt, sql`now() - ${FORGOTTEN_HOURS}::int * interval '1 hour'`));
}
