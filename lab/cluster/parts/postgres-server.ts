import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Network } from '../network/hosts.ts';
import { runCommand, succeeds } from '../network/run-command.ts';
import { type Part, startPart, waitUntil } from './part.ts';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
/** PostgreSQL does not run as root. */
const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];

/** Server of PostgreSQL on the host `data`. */
export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  /** Folder of its data, and that of its socket. */
  readonly data: string;
  readonly home: string;
  /** Runs a program of PostgreSQL on its host, to its end. */
  run(program: string, args: readonly string[]): Promise<string>;
  query(statement: string): Promise<string>;
  /** @param settings each `name=value` */
  start(settings?: readonly string[]): Promise<void>;
  /** Sends kill -9 to it and to the processes of its connections. */
  kill(): Promise<void>;
}

/** Describes a server, which `start` starts once its data are there. @throws when PostgreSQL is not installed */
export async function createPostgresServer(
  network: Network,
  place: { readonly name: string; readonly home: string; readonly port: number },
  logs: string,
): Promise<PostgresServer> {
  const bin = await findPrograms();
  const { name, home, port } = place;
  const data = join(home, name);
  const host = network.addressOf('data');
  const address = ['-h', host, '-p', String(port)];
  const onHost = (program: string, args: readonly string[]) =>
    network.commandOn('data', [...AS_POSTGRES, join(bin, program), ...args]);
  const run = (program: string, args: readonly string[]) => runCommand(onHost(program, args));
  let part: Part | undefined;
  return {
    host,
    port,
    data,
    home,
    run,
    query: (statement) => run('psql', [...address, '-U', 'postgres', '-qAt', '-c', statement]),
    async start(settings = []) {
      // The server was killed, if there is one: its id may be that of another program by now.
      await rm(join(data, 'postmaster.pid'), { force: true });
      const all = [
        `listen_addresses=${host}`,
        `unix_socket_directories=${home}`,
        'max_connections=200',
        ...settings,
      ];
      part = startPart({
        command: onHost('postgres', ['-D', data, '-p', String(port), ...all.flatMap((each) => ['-c', each])]),
        log: join(logs, `${name}.log`),
      });
      await waitUntil(`PostgreSQL, ${name}`, () => succeeds(onHost('pg_isready', ['-q', ...address])));
    },
    async kill() {
      if (!part?.isRunning()) return;
      const children = (await runCommand(['pgrep', '-P', String(part.child.pid)]).catch(() => '')).split(
        '\n',
      );
      await part.kill();
      // Orphans hold on to the shared memory until they notice; a machine that loses power has none.
      for (const pid of children.filter(Boolean)) await succeeds(['kill', '-9', pid]);
    },
  };
}

/** Finds the programs of the newest PostgreSQL that Debian has installed. */
async function findPrograms(): Promise<string> {
  const versions = (await readdir(DEBIAN_FOLDER).catch(() => [])).map(Number).toSorted((a, b) => b - a);
  const [newest] = versions;
  if (newest === undefined) throw new Error('PostgreSQL is missing: apt-get install postgresql');
  return join(DEBIAN_FOLDER, String(newest), 'bin');
}
