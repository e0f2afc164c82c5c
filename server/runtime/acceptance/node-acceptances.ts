import { openAsBlob } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findEngine, findStanding, UNTESTED } from '../../../models/acceptance/find-standing.ts';
import { measureEngine } from '../../../models/acceptance/measure-engine.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import type { Acceptances, MeasuringOptions, Standing } from '../../../models/core/runtime/acceptances.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { createNodeRuntime } from '../node-runtime.ts';
import type { AcceptanceStore, StoredAcceptance } from './acceptance-store.ts';

/** In two steps: a bundler would take a literal path for a module, and not find it. */
const resolveFromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const SAMPLES = resolveFromHere('../../../public/acceptance/');

export interface NodeAcceptancesOptions {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly store: AcceptanceStore;
  /** Runs the engines under test; it has no acceptances itself. */
  readonly inference: Inference;
  /** Memory of the models that a run may load; unlimited when absent. */
  readonly modelBytesMax?: number | undefined;
  /** Whether this process measures one engine and does nothing else. Defaults to false. */
  readonly isAlone?: boolean;
}

/** Acceptance tests in this process, which must be one that may be killed: they run codecs and models. */
export class NodeAcceptances implements Acceptances {
  readonly #options: NodeAcceptancesOptions;

  constructor(options: NodeAcceptancesOptions) {
    this.#options = options;
  }

  async find(operationId: string, engineId: string): Promise<Standing> {
    const { operations, store, modelBytesMax = Number.POSITIVE_INFINITY } = this.#options;
    const found = findEngine(operations, operationId, engineId);
    if (!found) return UNTESTED;
    const { reservedBytes = 0 } = (await store.readMemory(operationId, found.engine)) ?? {};
    return reservedBytes > modelBytesMax
      ? {
          state: 'failed',
          reason: `Its models need ${Math.ceil(reservedBytes / 1e6)} MB of memory, more than this run may use.`,
        }
      : await store.findStanding(found.operation, found.engine);
  }

  async measure(
    operationId: string,
    engineId: string,
    { signal, onProgress }: MeasuringOptions,
  ): Promise<Standing> {
    const found = findEngine(this.#options.operations, operationId, engineId);
    if (!found) return UNTESTED;
    const { operation, engine } = found;
    const { inference, store, isAlone = false } = this.#options;
    const peakBytes = await watchPeakMemory();
    const runtime = createNodeRuntime({ signal, inference, ...(onProgress && { onProgress }) });
    const acceptance = await measureEngine(operation, engineId, {
      runtime,
      sample: (name) => openAsBlob(`${SAMPLES}${name}`),
      processorSeconds,
    });
    const stored: StoredAcceptance = {
      ...acceptance,
      memoryBytes: await peakBytes(),
      wasAlone: isAlone,
      measuredAt: new Date().toISOString(),
    };
    await store.write(operationId, engine, stored);
    return findStanding(operation, engine, stored);
  }
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Begins to watch the memory of this process.
 * @returns a function that returns how much its peak since then exceeds what it held then, in bytes
 */
export async function watchPeakMemory(): Promise<() => Promise<number>> {
  const before = process.memoryUsage.rss();
  // The kernel forgets the peak of what ran before; where it cannot, the peak is that of the process's life.
  await writeFile('/proc/self/clear_refs', '5').catch(() => {});
  return async () => Math.max(0, (await readPeakBytes()) - before);
}

async function readPeakBytes(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kibibytes) * 1024;
}
