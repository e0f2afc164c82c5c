import { closeDb } from '../db.ts';
import { createContext } from '../process-context.ts';
import { onStop, reportReady } from '../process-life.ts';
import { startRunner } from './runner.ts';

/** `npm run runner`: takes jobs from the queue until it is told to stop. */
const ctx = await createContext('runner');
const runner = startRunner(ctx, { databaseUrl: ctx.env.DATABASE_URL ?? '' });
onStop(async () => {
  ctx.log.info('stopping');
  await runner.stop();
  await closeDb(ctx.db);
});
await runner.ready;
ctx.log.info({ concurrency: ctx.env.RUNNER_CONCURRENCY }, 'taking jobs');
reportReady();
