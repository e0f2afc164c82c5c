import { messageOf } from '../models/operation/errors.ts';
import { runAccountCommand } from './support/account-command.ts';

try {
  console.log(await runAccountCommand(process.argv.slice(2), process.env));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
