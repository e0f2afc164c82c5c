import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';
import { openStorage } from '../../../server/io/storage/index.ts';
import { type PreparedJob, TRANSITIONS, type TransitionCase } from '../service/job-transitions.ts';
import { openMortalDatabase } from '../service/mortal-database.ts';

/** Moves a job in its own process, which kills itself at a step: `<transition> <step> <job as JSON>`. */
const [name = '', dieAt = '', json = ''] = process.argv.slice(2);
const cases: Readonly<Record<string, TransitionCase>> = TRANSITIONS;
const env = readEnv();
const { db } = openMortalDatabase(env.DATABASE_URL ?? '', Number(dieAt), () => {
  process.kill(process.pid, 'SIGKILL');
});
const ctx = { env, db, storage: await openStorage(env), log: createLogger('silent', 'transition') };
const job: PreparedJob = JSON.parse(json);
await cases[name]?.move(ctx, job);
