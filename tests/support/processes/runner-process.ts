import { fileURLToPath } from 'node:url';
import { openDb } from '../../../server/base/database/db.ts';
import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';
import { openStorage } from '../../../server/io/storage/index.ts';
import { startRunner } from '../../../server/jobs/runner/runner.ts';
import { OPERATIONS } from '../operations/test-operations.ts';

/** Runner in its own process, with the test operations. Sends `ready` to its parent. */
const env = readEnv();
const databaseUrl = env.DATABASE_URL ?? '';
const ctx = {
  env,
  db: openDb(databaseUrl),
  storage: await openStorage(env),
  log: createLogger(env.LOG_LEVEL, 'runner'),
};
const operationsModule = fileURLToPath(new URL('../operations/test-operations.ts', import.meta.url));
const runner = startRunner(ctx, { databaseUrl, operations: OPERATIONS, operationsModule });
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => void runner.stop().then(() => process.exit()));
await runner.ready;
process.send?.('ready');
