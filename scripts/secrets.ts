import { getMessage } from '../models/core/operation/errors.ts';
import { redactSqlParams } from '../server/base/describe-error.ts';
import { readEnv } from '../server/base/env.ts';
import { runSecretsCommand } from './commands/secrets-command.ts';
import { withServiceDatabase } from './commands/service-database.ts';

try {
  const lines = await withServiceDatabase(readEnv(), (db) => runSecretsCommand(process.argv.slice(2), db));
  for (const line of lines) console.log(JSON.stringify(line));
} catch (error) {
  console.error(redactSqlParams(getMessage(error)));
  process.exitCode = 1;
}
