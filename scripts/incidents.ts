import { getMessage } from '../models/core/operation/errors.ts';
import { redactSqlParams } from '../server/base/describe-error.ts';
import { runIncidentsCommand } from './commands/incidents-command.ts';

try {
  for (const line of await runIncidentsCommand(process.argv.slice(2), process.env)) console.log(line);
} catch (error) {
  console.error(redactSqlParams(getMessage(error)));
  process.exitCode = 1;
}
