import { getMessage } from '../models/core/operation/errors.ts';
import { redactSqlParams } from '../server/base/describe-error.ts';
import { runKeysCommand } from './commands/keys-command.ts';

try {
  for (const line of await runKeysCommand(process.argv.slice(2), process.env)) console.log(line);
} catch (error) {
  console.error(redactSqlParams(getMessage(error)));
  process.exitCode = 1;
}
