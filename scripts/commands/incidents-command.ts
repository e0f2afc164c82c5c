import { parseArgs } from 'node:util';
import type { Db } from '../../server/base/database/db.ts';
import { readEnv } from '../../server/base/env.ts';
import { endIncident, type Incident, listIncidents, openIncident } from '../../server/ops/status.ts';
import { describeCommandError } from './flags.ts';
import { withServiceDatabase } from './service-database.ts';

const USAGE = `Writes down incidents for the page /status. Prints each as one line of JSON.

npm run --silent incidents -- open --title TITLE
npm run --silent incidents -- end  --id ID
npm run --silent incidents -- list`;

interface Flags {
  readonly title?: string | undefined;
  readonly id?: string | undefined;
}

const COMMANDS: Readonly<Record<string, (db: Db, flags: Flags) => Promise<readonly Incident[]>>> = {
  open: async (db, { title = '' }) => [await openIncident(db, title)],
  end: async (db, { id = '' }) => [await endIncident(db, readId(id))],
  list: (db) => listIncidents(db),
};

function readId(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--id: "${text}" is not the id of an incident. \`list\` shows them.`);
}

/** Fields of the server's own messages, as the flags of this command. */
const FLAGS: Readonly<Record<string, string>> = { title: '--title', id: '--id' };

/**
 * Runs `npm run incidents`.
 * @returns a line of JSON for each incident
 * @throws Error with the reason and the usage
 */
export async function runIncidentsCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { title: { type: 'string' }, id: { type: 'string' } },
      allowPositionals: true,
    });
    const [name = '', ...others] = positionals;
    const execute = Object.hasOwn(COMMANDS, name) && others.length === 0 ? COMMANDS[name] : undefined;
    if (!execute) throw new Error(`Give one of the commands ${Object.keys(COMMANDS).join(', ')}.`);
    const found = await withServiceDatabase(readEnv(env), (db) => execute(db, values));
    return found.map(({ id, title, startedAt, endedAt }) =>
      JSON.stringify({ id, title, started_at: startedAt, ended_at: endedAt }),
    );
  } catch (error) {
    throw new Error(`${describeCommandError(error, FLAGS)}\n\n${USAGE}`, { cause: error });
  }
}
