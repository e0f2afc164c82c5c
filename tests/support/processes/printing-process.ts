import { DrizzleQueryError } from 'drizzle-orm';
import { createLogger } from '../../../server/base/log.ts';
import { redirectOutput } from '../../../server/base/redirect-output.ts';

/** Process whose libraries print an error of a query with its values, and text that looks like lines of the log. */
const [secret = '', forged = ''] = process.argv.slice(2);
redirectOutput(createLogger('debug', 'test'));
const library = globalThis.console;
const error = new DrizzleQueryError(
  'insert into t values ($1)',
  [`\n    at ${secret}`],
  new Error('refused'),
);
library.error('# SERVER_ERROR: ', error);
library.error({ error });
library.log(`text\n${forged}\u0085${forged}\u2028${forged}`);
process.stdout.write(`${forged}\n`);
process.stderr.write(Buffer.from(`params: ${secret}\n${forged}\n`));
process.emitWarning(`old\n${forged}`);
setTimeout(() => {
  throw error;
}, 50);
