import { createBreakers } from '../../base/breakers.ts';
import { closeDb } from '../../base/database/db.ts';
import { migrate } from '../../base/database/migrate.ts';
import { redirectOutput } from '../../base/redirect-output.ts';
import { sealOnceKeysAreKnown } from '../../base/secrets/index.ts';
import { startHeartbeats } from '../../jobs/heartbeats/index.ts';
import { laneSlots, startModelUpkeep, startRunner } from '../../jobs/runner/index.ts';
import { createContext } from '../create-context.ts';
import { onStop, receiveSettings, reportReady, reportStarting } from './lifecycle.ts';

/** `npm run runner`: takes jobs from the queue until it is told to stop. */
await reportStarting(receiveSettings());
const ctx = await createContext('runner');
redirectOutput(ctx.log);
const databaseUrl = ctx.env.DATABASE_URL ?? '';
await reportStarting(migrate(databaseUrl));
await reportStarting(sealOnceKeysAreKnown(ctx));
const breakers = createBreakers();
const endBeats = await startHeartbeats(ctx, 'runner', breakers);
const runner = startRunner(ctx, { databaseUrl, breakers });
onStop(async () => {
  ctx.log.info('stopping');
  await endModelUpkeep();
  await runner.stop();
  await endBeats();
  await ctx.tracer?.flush();
  await closeDb(ctx.db);
});
const endModelUpkeep = startModelUpkeep(ctx, { reserveIdle: runner.reserveIdle });
await runner.ready;
ctx.log.info({ slots: laneSlots(ctx.env), memoryMb: ctx.env.RUNNER_MEMORY_MB }, 'taking jobs');
reportReady();
