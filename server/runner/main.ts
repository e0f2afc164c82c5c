import { closeDb } from '../db.ts';
import { migrate } from '../migrate.ts';
import { createContext } from '../process-context.ts';
import { onStop, reportReady, reportStarting } from '../process-life.ts';
import { keepBeating } from '../processes/index.ts';
import { sealStoredSecrets } from '../secrets/index.ts';
import { laneSlots } from './lanes.ts';
import { startRunner } from './runner.ts';

/** `npm run runner`: takes jobs from the queue until it is told to stop. */
const ctx = await createContext('runner');
const databaseUrl = ctx.env.DATABASE_URL ?? '';
await reportStarting(migrate(databaseUrl));
await reportStarting(sealStoredSecrets(ctx));
const endBeats = await keepBeating(ctx, 'runner');
const runner = startRunner(ctx, { databaseUrl });
onStop(async () => {
  ctx.log.info('stopping');
  await runner.stop();
  await endBeats();
  await ctx.tracer?.flush();
  await closeDb(ctx.db);
});
await runner.ready;
ctx.log.info({ slots: laneSlots(ctx.env), memoryMb: ctx.env.RUNNER_MEMORY_MB }, 'taking jobs');
reportReady();
