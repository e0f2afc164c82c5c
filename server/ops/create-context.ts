import type { Context } from '../base/context.ts';
import { RECOVERY_MS } from '../base/database/await-recovery.ts';
import { openDb } from '../base/database/db.ts';
import { readEnv } from '../base/env.ts';
import { createLogger } from '../base/log.ts';
import { openTracer } from '../base/open-tracer.ts';
import { openStorage } from '../io/storage/index.ts';

/** Creates the context of a process from its environment. The caller must set `DATABASE_URL`. */
export async function createContext(part: string): Promise<Context> {
  const env = readEnv();
  if (!env.DATABASE_URL) {
    throw new Error(
      'DATABASE_URL: must be set for a part that is started alone; `npm start` brings its own.',
    );
  }
  const log = createLogger(env.LOG_LEVEL, part);
  const tracer = await openTracer(env, part, log);
  return {
    env,
    db: openDb(env.DATABASE_URL, { recoveryMs: RECOVERY_MS }),
    storage: await openStorage(env),
    log,
    ...(tracer && { tracer }),
  };
}
