import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  ACCEPTANCE_VERSION,
  findAcceptanceStatus,
} from '../../../models/acceptance/find-acceptance-status.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import type { AcceptanceStatus } from '../../../models/core/runtime/acceptances.ts';
import { declaredMemory, listFiles, type OperationEngine } from '../../../models/core/runtime/fit.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import type { Env } from '../../base/env.ts';
import { getErrorCode } from '../../base/error-code.ts';
import { OWNER_ONLY } from '../../base/file-modes.ts';
import { listAllEngines } from './list-all-engines.ts';

/** Returns the memory of a running session of a file, in bytes. */
type CardMemory = (card: WeightCard) => Promise<number>;

/** In two steps: a bundler would take a literal path for a module, and not find it. */
const resolveFromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const acceptanceSchema = z.object({
  measure: z.string(),
  figure: z.number(),
  floor: z.number(),
  lowerIsBetter: z.boolean().optional(),
  passed: z.boolean(),
  seconds: z.number(),
  per: z.enum(['megapixel', 'second']),
  fault: z.string().optional(),
  /** Memory that the test took at its peak, in addition to that of the process before it. */
  memoryBytes: z.number(),
  /** Whether it had a separate process: else memory that others left there may have served it. */
  wasAlone: z.boolean().optional(),
  measuredAt: z.iso.datetime(),
});

const CHOSEN: AcceptanceStatus = {
  state: 'passed',
  quality: Number.POSITIVE_INFINITY,
  seconds: 0,
  isSlow: false,
};

type StoreEnv = Pick<Env, 'DATA_DIR' | 'INFERENCE_ENDPOINTS' | 'INFERENCE_MEMORY_MB'>;

/** Result of an acceptance test on this machine. */
export type StoredAcceptance = z.output<typeof acceptanceSchema>;

/** Memory that a run reserves beyond what the samples took: other inputs take more, and allocators round up. */
const MARGIN = { share: 0.2, bytesMin: 50_000_000 };

/** Errors of a folder that may only be read: a child that decodes files of users shall change nothing for others. */
const READ_ONLY: readonly string[] = ['EACCES', 'EPERM', 'EROFS'];

const NO_MEMORY: ModelMemory = { neededBytes: 0, reservedBytes: 0 };

/** Memory of an engine's models on this machine. */
interface ModelMemory {
  /** Bytes that must fit into INFERENCE_MEMORY_MB. */
  readonly neededBytes: number;
  /** Bytes that a run reserves. */
  readonly reservedBytes: number;
}

/**
 * Returns the memory of an engine's models. A test in a separate process replaces what they declare, upwards and
 * downwards. One next to a job raises it only: memory that the process already had may have served it.
 */
function getMemory(engine: OperationEngine, measured: StoredAcceptance | null): ModelMemory {
  const declared = declaredMemory(engine);
  if (measured?.wasAlone) {
    const { memoryBytes } = measured;
    const margin = Math.max(MARGIN.bytesMin, Math.round(memoryBytes * MARGIN.share));
    return { neededBytes: memoryBytes, reservedBytes: memoryBytes + margin };
  }
  const bytes = Math.max(declared, measured?.memoryBytes ?? 0);
  return { neededBytes: bytes, reservedBytes: bytes };
}

/**
 * Store of acceptance results next to the weights: a file for each engine, its files' hashes, the runtime and the
 * provider. Processes share it; who writes last, wins.
 */
export class AcceptanceStore {
  readonly #directory: string;
  readonly #env: StoreEnv;
  /** Results by path, in a process that may not write the folder. */
  readonly #unwritten = new Map<string, StoredAcceptance>();

  constructor(env: StoreEnv) {
    this.#directory = join(env.DATA_DIR, 'models', 'acceptance');
    this.#env = env;
  }

  /** Returns the result of an engine; null when it was not measured here, or the file cannot be read. */
  async read(operation: string, engine: OperationEngine): Promise<StoredAcceptance | null> {
    const path = await this.#getPath(operation, engine);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) return this.#unwritten.get(path) ?? null;
    try {
      return acceptanceSchema.parse(JSON.parse(text));
    } catch {
      return null;
    }
  }

  /**
   * Returns the memory of an engine's models: as declared until it was measured here.
   * @returns null for an engine that failed its test, which is not used
   */
  async readMemory(operation: string, engine: OperationEngine): Promise<ModelMemory | null> {
    const measured = await this.read(operation, engine);
    return measured && !measured.passed ? null : getMemory(engine, measured);
  }

  /**
   * Tells what is known of an engine on this machine. One that took more memory than the settings allow is not used.
   * One on an inference server is the operator's choice: it comes first until it is measured, and takes no memory here.
   */
  async findAcceptanceStatus(operation: Operation, engine: OperationEngine): Promise<AcceptanceStatus> {
    const measured = await this.read(operation.id, engine);
    const isServed = engine.card !== null && this.#env.INFERENCE_ENDPOINTS.has(engine.card.id);
    if (!measured && isServed) return CHOSEN;
    const { neededBytes } = isServed || !measured ? NO_MEMORY : getMemory(engine, measured);
    return neededBytes > this.#env.INFERENCE_MEMORY_MB * 1_000_000
      ? { state: 'failed', reason: describeMemoryShortage(neededBytes, this.#env) }
      : findAcceptanceStatus(operation, engine, measured);
  }

  async write(operation: string, engine: OperationEngine, acceptance: StoredAcceptance): Promise<void> {
    const path = await this.#getPath(operation, engine);
    const partial = `${path}.${process.pid}.part`;
    try {
      await mkdir(this.#directory, { recursive: true, mode: OWNER_ONLY.folder });
      await writeFile(partial, `${JSON.stringify(acceptance)}\n`);
      await rename(partial, path);
    } catch (thrown) {
      if (!READ_ONLY.includes(getErrorCode(thrown) ?? '')) throw thrown;
      this.#unwritten.set(path, acceptance);
    }
  }

  async #getPath(operation: string, engine: OperationEngine): Promise<string> {
    const provider = this.#env.INFERENCE_ENDPOINTS.get(engine.card?.id ?? '') ?? 'cpu';
    const parts = [
      ACCEPTANCE_VERSION,
      listFiles(engine).map(({ sha256 }) => sha256),
      await readRuntime(),
      provider,
    ];
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
    return join(this.#directory, `${operation}-${engine.id}-${key}.json`);
  }
}

let runtime: Promise<string> | undefined;

/** Returns the name and version of what runs the graphs. */
function readRuntime(): Promise<string> {
  runtime ??= readFile(resolveFromHere('../../../package.json'), 'utf8').then(
    (text) => `onnxruntime-node ${JSON.parse(text).dependencies['onnxruntime-node']}`,
  );
  return runtime;
}

/** Says that an engine needs more memory than the settings allow. */
export function describeMemoryShortage(
  bytes: number,
  { INFERENCE_MEMORY_MB }: Pick<Env, 'INFERENCE_MEMORY_MB'>,
) {
  const megabytes = Math.ceil(bytes / 1_000_000);
  return `It needs ${megabytes} MB of memory, and INFERENCE_MEMORY_MB allows ${INFERENCE_MEMORY_MB}.`;
}

/**
 * Returns a function that tells the memory of a file's session: what its card declares, until an engine with it was
 * measured here. Then it is the file's share of what the engine took. Where several engines use it, the largest counts.
 */
export function createCardMemory(acceptances: Pick<AcceptanceStore, 'readMemory'>): CardMemory {
  const engines = listAllEngines();
  return async (card) => {
    const users = engines.filter(({ engine }) =>
      listFiles(engine).some(({ sha256 }) => sha256 === card.sha256),
    );
    const shares = await Promise.all(
      users.map(async ({ operation, engine }) => {
        const memory = await acceptances.readMemory(operation.id, engine);
        // One that failed is not used: the others tell.
        return memory === null ? 0 : (card.memoryBytes * memory.neededBytes) / declaredMemory(engine);
      }),
    );
    return Math.round(Math.max(0, ...shares)) || card.memoryBytes;
  };
}
