import { parseArgs } from 'node:util';
import { getMessage } from '../models/core/operation/errors.ts';
import { listOutsideClusters, removeOutsideCluster } from '../server/ops/embedded/index.ts';

const USAGE = `Lists the embedded databases below /var/lib, or deletes one whose DATA_DIR is gone. Started as root, the
service keeps its database there where its user cannot enter DATA_DIR; DATA_DIR/postgres is a link to it, and deleting
DATA_DIR leaves it. Prints lines of JSON.

npm run --silent clusters -- list
npm run --silent clusters -- remove --path /var/lib/darkroom-…`;

async function run(args: readonly string[]): Promise<readonly object[]> {
  const [command, ...flags] = args;
  if (command === 'list' && flags.length === 0) return await listOutsideClusters();
  const { path } = parseArgs({ args: flags, options: { path: { type: 'string' } } }).values;
  if (command !== 'remove' || path === undefined) throw new Error(USAGE);
  await removeOutsideCluster(path);
  return [{ removed: path }];
}

try {
  for (const line of await run(process.argv.slice(2))) console.log(JSON.stringify(line));
} catch (error) {
  console.error(getMessage(error));
  process.exitCode = 1;
}
