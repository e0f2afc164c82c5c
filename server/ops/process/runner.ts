import { join } from 'node:path';
import { createBreakers } from '../../base/breakers.ts';
import { chooseIsolation } from '../../base/children/isolation.ts';
import { closeDb } from '../../base/database/db.ts';
import { migrate } from '../../base/database/migrate.ts';
import { redirectOutput } from '../../base/redirect-output.ts';
import { startHeartbeats } from '../../jobs/heartbeats.ts';
import { laneSlots, startModelUpkeep, startRunner } from '../../jobs/runner/index.ts';
import { createContext } from '../create-context.ts';
import { awaitKeys } from './await-keys.ts';
import { onStop, openAliveFile, receiveSettings, reportReady, reportStarting } from './lifecycle.ts';

/** `npm run runner`: takes jobs from the queue until it is told to stop. */
await reportStarting(receiveSettings());
const ctx = await createContext('runner');
redirectOutput(ctx.log);
onStop(async () => {
  await ctx.tracer?.flush();
  await closeDb(ctx.db);
});
const alive = openAliveFile(join(ctx.env.DATA_DIR, 'runner.alive'));
const databaseUrl = ctx.env.DATABASE_URL ?? '';
await reportStarting(migrate(databaseUrl));
const isolation = await chooseIsolation(ctx.env);
ctx.log.info({ isolation: isolation.level }, 'how children that decode files are kept apart');
const breakers = createBreakers();
await awaitKeys(ctx, 'runner', isolation.level);
let endBeats = async (): Promise<void> => {};
onStop(async () => {
  alive.end();
  await endBeats();
});
const runner = startRunner(ctx, { databaseUrl, breakers, isolation });
onStop(() => runner.stop());
const { describe } = runner;
endBeats = await startHeartbeats(ctx, 'runner', { breakers, isolation: isolation.level, describe });
onStop(startModelUpkeep(ctx, { reserveIdle: runner.reserveIdle }));
onStop(async () => ctx.log.info('stopping'));
await runner.ready;
ctx.log.info({ slots: laneSlots(ctx.env), memoryMb: ctx.env.RUNNER_MEMORY_MB }, 'taking jobs');
reportReady();
alive.begin();
