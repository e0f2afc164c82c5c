import { messageOf } from '../models/errors.ts';
import { accountCommand } from './support/account-command.ts';

try {
  console.log(await accountCommand(process.argv.slice(2), process.env));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
