import { getMessage } from '../models/core/operation/errors.ts';
import { redactSqlParams } from '../server/base/describe-error.ts';
import { readEnv } from '../server/base/env.ts';
import { addReceiptKey, listPublicKeys } from '../server/money/receipts.ts';
import { withServiceDatabase } from './commands/service-database.ts';

const USAGE = `Lists the keys that sign receipts, the newest first, which signs; or adds one. Prints each as one line of JSON.

npm run --silent receipt-keys -- list
npm run --silent receipt-keys -- rotate

Running processes sign with a new key within a minute. Older ones stay published, so that their receipts stay valid.`;

try {
  const [command, ...more] = process.argv.slice(2);
  if ((command !== 'list' && command !== 'rotate') || more.length > 0) throw new Error(USAGE);
  const keys = await withServiceDatabase(readEnv(), async (db) => {
    if (command === 'rotate') await addReceiptKey(db);
    return await listPublicKeys(db);
  });
  for (const key of keys) console.log(JSON.stringify(key));
} catch (error) {
  console.error(redactSqlParams(getMessage(error)));
  process.exitCode = 1;
}
