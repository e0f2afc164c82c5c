import { getMessage } from '../models/core/operation/errors.ts';
import { redactSqlParams } from '../server/base/describe-error.ts';
import { runAccountCommand } from './commands/account-command.ts';

try {
  console.log(await runAccountCommand(process.argv.slice(2), process.env, console.error));
} catch (error) {
  console.error(redactSqlParams(getMessage(error)));
  process.exitCode = 1;
}
