import { randomUUID } from 'node:crypto';
import { readFile, statfs } from 'node:fs/promises';
import { cpus, freemem, hostname, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { asc, eq, lt, sql } from 'drizzle-orm';
import type { ProcessFacts, ProcessPart } from '../../drizzle/processes.ts';
import { describeFailure } from '../../models/acceptance/find-acceptance-status.ts';
import type { Breakers } from '../base/breakers.ts';
import type { IsolationLevel } from '../base/children/isolation.ts';
import type { Context } from '../base/context.ts';
import { countPending, type Executor, POOL_MAX, schema } from '../base/database/db.ts';
import { readDiskState } from '../base/disk-reserve.ts';
import type { Env } from '../base/env.ts';
import { readSecretsKeys } from '../base/env.ts';
import { getKeyId } from '../base/secrets/index.ts';
import { AcceptanceStore } from '../runtime/acceptance/index.ts';
import { listAllEngines } from '../runtime/acceptance/list-all-engines.ts';
import { listWeights } from '../runtime/weight-store/index.ts';

/** Silence after which a process counts as gone: two signs of life are missing. */
export const SILENT_SECONDS_MAX = 30;

/** In two steps: a bundler would take a literal path for a module, and not find it. */
const resolveFromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Packages whose native code decides about results. */
const PACKAGES = ['sharp', 'node-av', 'onnxruntime-node'];

/** Pause between two signs of life. */
const HEARTBEAT_EVERY_MS = 10_000;

/** After this a process that ended without a word is forgotten. */
const FORGOTTEN_HOURS = 24;

/** What a process knows of itself, for its signs of life. */
interface OwnState {
  /** Its breakers, which tell of outages that it sees. */
  readonly breakers?: Breakers;
  readonly isolation?: IsolationLevel;
  /** Whether it lacks a key of the stored secrets, and does no work before it has it. */
  readonly waitsForKey?: boolean;
  /** Tells what else is known at the moment of a sign of life. */
  readonly describe?: () => Pick<ProcessFacts, 'lanes' | 'childEnds'>;
}

/**
 * Reports now and regularly that this process lives, for the owner's page. A failure is logged and nothing else: the
 * process works without it.
 * @returns a function that stops it, and removes the process from the list
 */
export async function startHeartbeats(
  ctx: Context,
  part: ProcessPart,
  { breakers, describe, ...fixed }: OwnState = {},
): Promise<() => Promise<void>> {
  const process = { id: randomUUID(), part, startedAt: new Date() };
  let beating: Promise<void> | undefined;
  const beat = (): Promise<void> => {
    const outages = breakers?.listOpen() ?? [];
    beating ??= writeHeartbeat(ctx, process, { outages, ...fixed, ...describe?.() })
      .catch((err: unknown) => ctx.log.warn({ err }, 'the sign of life was not written'))
      .finally(() => {
        beating = undefined;
      });
    return beating;
  };
  await beat();
  const timer = setInterval(() => void beat(), HEARTBEAT_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await beating;
    const { processes } = schema;
    await ctx.db
      .delete(processes)
      .where(eq(processes.id, process.id))
      .catch((err: unknown) => ctx.log.warn({ err }, 'the process stays in the list for a while'));
  };
}

async function writeHeartbeat(
  { db, env }: Context,
  own: Pick<typeof schema.processes.$inferInsert, 'id' | 'part' | 'startedAt'>,
  state: Pick<ProcessFacts, 'outages' | 'isolation' | 'waitsForKey' | 'lanes' | 'childEnds'>,
): Promise<void> {
  const { processes } = schema;
  const pool = { pending: countPending(db), connectionsMax: POOL_MAX };
  const facts = { ...(await describeProcess(env)), pool, ...state };
  await db
    .insert(processes)
    .values({ ...own, host: hostname(), pid: process.pid, facts })
    .onConflictDoUpdate({ target: processes.id, set: { facts, beatAt: sql`now()` } });
  await db
    .delete(processes)
    .where(lt(processes.beatAt, sql`now() - ${FORGOTTEN_HOURS}::int * interval '1 hour'`));
}

/** Describes this process and its machine. */
export async function describeProcess(env: Env): Promise<ProcessFacts> {
  const [versions, disk, diskState, weights, engines] = await Promise.all([
    readVersions(),
    statfs(env.DATA_DIR).catch(() => undefined),
    readDiskState(env),
    listWeights(env),
    failedEngines(env),
  ]);
  return {
    versions,
    cores: cpus().length,
    load: loadavg()[0] ?? 0,
    memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
    // In a container the machine may have more free memory than the process may take.
    freeMemoryBytes: Math.min(freemem(), process.availableMemory()),
    residentBytes: process.memoryUsage.rss(),
    diskBytes: disk ? disk.blocks * disk.bsize : 0,
    freeDiskBytes: disk ? disk.bavail * disk.bsize : 0,
    diskState,
    weights: weights.stored,
    fetching: weights.fetching,
    weightBytes: weights.bytes,
    weightBytesMax: env.MODELS_DISK_MB * 1_000_000,
    evicted: weights.evicted,
    failedEngines: engines,
    secretsKeys: readSecretsKeys().map(getKeyId),
  };
}

async function readVersions(): Promise<Record<string, string>> {
  const { version, dependencies } = JSON.parse(await readFile(resolveFromHere('../../package.json'), 'utf8'));
  const packages = PACKAGES.map((name) => [name, String(dependencies[name])] as const);
  return { darkroom: version, node: process.versions.node, ...Object.fromEntries(packages) };
}

/** Lists the engines that failed their acceptance test on this machine. */
async function failedEngines(env: Env): Promise<NonNullable<ProcessFacts['failedEngines']>> {
  const store = new AcceptanceStore(env);
  const found = await Promise.all(
    listAllEngines().map(async ({ operation, engine }) => {
      const measured = await store.read(operation.id, engine);
      return measured && !measured.passed ? [{ id: engine.id, reason: describeFailure(measured) }] : [];
    }),
  );
  return found.flat();
}

/** Lists the processes of the service over all machines, those that ended without a word within a day included. */
export async function listProcesses(db: Executor) {
  const { processes } = schema;
  const { part, host, pid, startedAt, facts } = processes;
  return await db
    .select({
      id: processes.id,
      part,
      host,
      pid,
      startedAt,
      facts,
      /** By the database's clock. */
      silentSeconds: sql<number>`extract(epoch from now() - ${processes.beatAt})::float8`,
    })
    .from(processes)
    .orderBy(asc(host), asc(part), asc(startedAt));
}
