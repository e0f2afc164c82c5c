import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBreakers } from '../../base/breakers.ts';
import { chooseIsolation } from '../../base/children/isolation.ts';
import { closeDb } from '../../base/database/db.ts';
import { migrate } from '../../base/database/migrate.ts';
import { removeFoldersOfDead } from '../../base/own-folders.ts';
import { redirectOutput } from '../../base/redirect-output.ts';
import { sealOnceKeysAreKnown } from '../../base/secrets/index.ts';
import { startHeartbeats } from '../../jobs/heartbeats.ts';
import { laneSlots, startModelUpkeep, startRunner } from '../../jobs/runner/index.ts';
import { createContext } from '../create-context.ts';
import { onStop, openAliveFile, receiveSettings, reportReady, reportStarting } from './lifecycle.ts';

/** `npm run runner`: takes jobs from the queue until it is told to stop. */
await reportStarting(receiveSettings());
const ctx = await createContext('runner');
redirectOutput(ctx.log);
const alive = openAliveFile(join(ctx.env.DATA_DIR, 'runner.alive'));
const databaseUrl = ctx.env.DATABASE_URL ?? '';
await reportStarting(migrate(databaseUrl));
const isolation = await chooseIsolation(ctx.env);
ctx.log.info({ isolation: isolation.level }, 'how children that decode files are kept apart');
const breakers = createBreakers();
// Health and `npm run secrets` tell of a process that waits for a key by its heartbeats.
const endWaiting = await startHeartbeats(ctx, 'runner', { isolation: isolation.level });
await reportStarting(sealOnceKeysAreKnown(ctx));
await endWaiting();
await removeFoldersOfDead(tmpdir());
const runner = startRunner(ctx, { databaseUrl, breakers, isolation });
const { describe } = runner;
const endBeats = await startHeartbeats(ctx, 'runner', { breakers, isolation: isolation.level, describe });
onStop(async () => {
  ctx.log.info('stopping');
  await endModelUpkeep();
  await runner.stop();
  alive.end();
  await endBeats();
  await ctx.tracer?.flush();
  await closeDb(ctx.db);
});
const endModelUpkeep = startModelUpkeep(ctx, { reserveIdle: runner.reserveIdle });
await runner.ready;
ctx.log.info({ slots: laneSlots(ctx.env), memoryMb: ctx.env.RUNNER_MEMORY_MB }, 'taking jobs');
reportReady();
alive.begin();
