import { readFile, statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ProcessFacts } from '../../../drizzle/schema.ts';
import { describeFailure } from '../../../models/acceptance/find-standing.ts';
import type { Env } from '../../base/env.ts';
import { AcceptanceStore } from '../../runtime/acceptance/index.ts';
import { listAllEngines } from '../../runtime/acceptance/list-all-engines.ts';
import { listWeights } from '../../runtime/weight-store/index.ts';

/** In two steps: a bundler would take a literal path for a module, and not find it. */
const resolveFromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Packages whose native code decides about results. */
const PACKAGES = ['sharp', 'node-av', 'onnxruntime-node'];

/** Describes this process and its machine. */
export async function describeProcess(env: Env): Promise<ProcessFacts> {
  const [versions, disk, weights, engines] = await Promise.all([
    readVersions(),
    statfs(env.DATA_DIR).catch(() => undefined),
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
    weights: weights.stored,
    fetching: weights.fetching,
    weightBytes: weights.bytes,
    weightBytesMax: env.MODELS_DISK_MB * 1_000_000,
    evicted: weights.evicted,
    failedEngines: engines,
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
