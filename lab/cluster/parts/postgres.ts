import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Network } from '../network/hosts.ts';
import { runCommand } from '../network/run-command.ts';
import { createPostgresServer, type PostgresServer } from './postgres-server.ts';

const DATABASE = 'darkroom';
const REPLICA = 'replica';
/** Every commit waits until the replica has it, so that a fail-over loses nothing. */
const SYNCHRONOUS = `alter system set synchronous_standby_names = '${REPLICA}'`;

/** PostgreSQL with a streaming replica that every commit waits for. */
export interface Postgres {
  /** Returns the address of the current primary. */
  target(): { readonly host: string; readonly port: number };
  /** URL of the database for a client that reaches PostgreSQL at an address. */
  urlAt(host: string, port: number): string;
  /** Sends kill -9 to the primary, and starts it again. @param awayMs pause between the two; none by default */
  crash(awayMs?: number): Promise<void>;
  /** Sends kill -9 to the primary for ever, and makes the replica the primary. */
  failOver(): Promise<void>;
}

/** Starts a primary and its replica on the host `data`. */
export async function startPostgres(network: Network, folder: string, logs: string): Promise<Postgres> {
  const home = join(folder, 'postgres');
  await mkdir(home, { recursive: true });
  await runCommand(['chown', 'postgres', home]);
  const primary = await createPostgresServer(network, { name: 'primary', home, port: 5432 }, logs);
  const replica = await createPostgresServer(network, { name: REPLICA, home, port: 5433 }, logs);
  await startPrimary(primary, network.range);
  await startReplica(replica, primary);
  await primary.query(SYNCHRONOUS);
  await primary.query('select pg_reload_conf()');
  let current = primary;
  return {
    target: () => ({ host: current.host, port: current.port }),
    urlAt: (address, port) => `postgres://postgres@${address}:${port}/${DATABASE}`,
    async crash(awayMs = 0) {
      await current.kill();
      await wait(awayMs);
      await current.start();
    },
    async failOver() {
      await primary.kill();
      await replica.query('select pg_promote(true)');
      current = replica;
    },
  };
}

async function startPrimary(primary: PostgresServer, range: string): Promise<void> {
  await primary.run('initdb', ['-D', primary.data, '-U', 'postgres', '-A', 'trust']);
  const rules = `host all all ${range} trust\nhost replication all ${range} trust\n`;
  await appendFile(join(primary.data, 'pg_hba.conf'), rules);
  await primary.start();
  await primary.query(`create database ${DATABASE} template template0 encoding 'UTF8'`);
}

async function startReplica(replica: PostgresServer, primary: PostgresServer): Promise<void> {
  const source = ['-h', primary.host, '-p', String(primary.port), '-U', 'postgres'];
  const copy = ['-D', replica.data, '-R', '-X', 'stream', '--checkpoint=fast'];
  await replica.run('pg_basebackup', [...source, ...copy]);
  const connection = `host=${primary.host} port=${primary.port} user=postgres application_name=${REPLICA}`;
  await appendFile(join(replica.data, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  await replica.start();
}
