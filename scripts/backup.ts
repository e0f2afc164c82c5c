import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getMessage } from '../models/core/operation/errors.ts';
import type { Db } from '../server/base/database/db.ts';
import { redactSqlParams } from '../server/base/describe-error.ts';
import { readEnv } from '../server/base/env.ts';
import { recordTaskRun } from '../server/jobs/scheduled-tasks.ts';
import { createBackup, type Manifest, restoreBackup } from '../server/ops/backup/index.ts';
import { withServiceDatabase } from './commands/service-database.ts';

const USAGE = `Backs the database up, and restores it. Prints what was copied as one line of JSON.

npm run --silent backup -- create  --to FOLDER     while the service runs, or not
npm run --silent backup -- restore --from FOLDER   into a new database, while the service is stopped
npm run --silent backup -- record                  notes that another tool has backed the database up just now

The backup holds e-mail addresses, hashes of passwords and keys, and encrypted secrets: keep it safe. The key of those
secrets is not in it: keep DATA_DIR/secrets.key, or SECRETS_KEY, in another safe place.`;

/** Creates a backup, and lets the owner's page show that it was made. */
async function recordBackup(db: Db, folder: string): Promise<Manifest> {
  return await recordTaskRun(db, 'backup', () => createBackup(db, folder));
}

async function main([command, ...args]: readonly string[]): Promise<void> {
  if (command === 'record' && args.length === 0) {
    return await withServiceDatabase(readEnv(), (db) => recordTaskRun(db, 'backup', async () => {}));
  }
  const { values } = parseArgs({ args, options: { to: { type: 'string' }, from: { type: 'string' } } });
  const folder = command === 'create' ? values.to : command === 'restore' ? values.from : undefined;
  if (!folder) throw new Error(USAGE);
  const work = command === 'create' ? recordBackup : restoreBackup;
  const { createdAt, tables } = await withServiceDatabase(readEnv(), (db) => work(db, resolve(folder)));
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  console.log(JSON.stringify({ created_at: createdAt, tables: tables.length, bytes }));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(redactSqlParams(getMessage(error)));
  process.exitCode = 1;
}
