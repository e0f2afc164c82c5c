import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describeFailure, isTested } from '../../../models/acceptance/find-acceptance-status.ts';
import { getMessage } from '../../../models/core/operation/errors.ts';
import {
  declaredMemory,
  isCommercial,
  listFiles,
  type OperationEngine,
} from '../../../models/core/runtime/fit.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import type { Context } from '../../base/context.ts';
import { AcceptanceStore } from '../../runtime/acceptance/index.ts';
import { listAllEngines, type OwnEngine } from '../../runtime/acceptance/list-all-engines.ts';
import { findEngineAvailability } from '../../runtime/inference/engine-availability.ts';
import { openWeightStore } from '../../runtime/weight-store/index.ts';
import { measureInChild } from './measure-in-child.ts';

/** Size of an engine's files together that counts as small. */
const SMALL_BYTES_MAX = 32_000_000;

/** Pause between two lines of the log about a download. */
const REPORT_EVERY_MS = 10_000;

interface PrefetchOptions {
  readonly signal: AbortSignal;
  /** Called after each engine whose files have arrived. */
  readonly onFetched: () => Promise<void>;
}

const REGISTRY = fileURLToPath(new URL('../../../models/registry.ts', import.meta.url));

/** Memory of a test in addition to its models. */
const BASE_BYTES = 500_000_000;

/** Pause between two looks for engines whose files have arrived since. */
const LOOK_EVERY_MS = 60_000;

export interface KeptModelsOptions {
  /** Defaults to those of all operations. */
  readonly engines?: readonly OwnEngine[];
  /** Waits until the machine is idle enough, at most for a while; returns a function that releases the memory. */
  reserveIdle(bytes: number, signal: AbortSignal): Promise<() => void>;
}

/**
 * Fetches the weights that the settings name, deletes those beyond the limit, and measures every engine whose files are
 * here, one after the other. Looks again each minute.
 * @returns a function that ends it
 */
export function startModelUpkeep(ctx: Context, options: KeptModelsOptions): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const keep = async (): Promise<void> => {
    await wait(ctx.env.ACCEPTANCE_DELAY_SECONDS * 1000, undefined, { signal, ref: false });
    const tried = new Set<string>();
    const bound = createWeightBound(ctx);
    const measure = async () => {
      await bound(signal);
      await measureAll(ctx, tried, { ...options, signal });
    };
    // Bundled engines first: they can run while others still arrive.
    await measure();
    await prefetchEngines(ctx, options.engines ?? listAllEngines(), { signal, onFetched: measure });
    for (;;) {
      await wait(LOOK_EVERY_MS, undefined, { signal, ref: false });
      await measure();
    }
  };
  const kept = keep().catch((err: unknown) => {
    if (!signal.aborted) ctx.log.error({ err }, 'engines are no longer measured');
  });
  return async () => {
    ending.abort();
    await kept;
  };
}

/**
 * Measures the engines that are here and were not measured yet, or only next to a job, which tells little of their
 * memory. Each is tried once.
 */
async function measureAll(
  ctx: Context,
  tried: Set<string>,
  { engines = listAllEngines(), reserveIdle, signal }: KeptModelsOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const store = new AcceptanceStore(ctx.env);
  for (const { operation, engine } of engines) {
    const name = `${operation.id}/${engine.id}`;
    if (tried.has(name) || !isTested(operation, engine)) continue;
    if (!(await isHere(ctx, engine)) || (await store.read(operation.id, engine))?.wasAlone) continue;
    const release = await reserveIdle(BASE_BYTES + declaredMemory(engine), signal);
    signal.throwIfAborted();
    tried.add(name);
    await measureOne(ctx, { operation, engine }, signal).finally(release);
  }
}

async function measureOne(
  ctx: Context,
  { operation, engine }: OwnEngine,
  signal: AbortSignal,
): Promise<void> {
  const modelBytesMax = ctx.env.INFERENCE_MEMORY_MB * 1_000_000;
  const names = { operation: operation.id, engine: engine.id };
  try {
    const request = { operationId: operation.id, engine: engine.id };
    await measureInChild(request, { operationsModule: REGISTRY, modelBytesMax, signal });
  } catch (err) {
    if (!signal.aborted) ctx.log.warn({ err, ...names }, 'an engine could not be measured');
    return;
  }
  const measured = await new AcceptanceStore(ctx.env).read(operation.id, engine);
  if (!measured) return;
  const { figure, floor, seconds } = measured;
  if (measured.passed)
    ctx.log.info({ ...names, figure, floor, seconds }, 'an engine passed its acceptance test');
  else ctx.log.error({ ...names, reason: describeFailure(measured) }, 'an engine failed its acceptance test');
}

/** Reports whether an engine may run and all of its files are here, or in a folder next to them. */
async function isHere(ctx: Context, engine: OperationEngine): Promise<boolean> {
  const store = openWeightStore(ctx.env);
  const files = listFiles(engine);
  const isNear = await Promise.all(
    files.map((card) => ctx.env.INFERENCE_ENDPOINTS.has(card.id) || store.isNear(card)),
  );
  return isNear.every(Boolean) && (await findEngineAvailability(ctx, engine)).isAvailable;
}

/**
 * Returns a function that deletes the weights beyond the limit that can be fetched again, and logs what was deleted to
 * make room since its last call, whichever process did it. It logs once that weights beyond the limit stay.
 */
export function createWeightBound({
  env,
  log,
}: Pick<Context, 'env' | 'log'>): (signal: AbortSignal) => Promise<void> {
  const store = openWeightStore(env);
  const logged = new Set<string>();
  let keptBytes = 0;
  return async (signal) => {
    try {
      const bytes = await store.trim(signal);
      if (bytes > 0 && keptBytes === 0) {
        log.warn(
          { bytes },
          'weights beyond MODELS_DISK_MB stay: they are in use, or no source can be reached',
        );
      }
      keptBytes = bytes;
      for (const { id, bytes, at } of await store.evictions()) {
        if (logged.has(`${id} ${at}`)) continue;
        logged.add(`${id} ${at}`);
        log.warn({ weights: id, bytes, at }, 'weights were deleted to make room for others');
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err }, 'the room for weights could not be checked');
    }
  };
}

/**
 * Lists the engines whose files are fetched before anybody asks: those that may be used commercially, and are small
 * unless all are wanted.
 */
export function listPrefetched(engines: readonly OwnEngine[], wanted: 'small' | 'all' | 'none'): OwnEngine[] {
  if (wanted === 'none') return [];
  return engines.filter(({ engine }) => {
    const files = listFiles(engine).filter(({ url }) => url !== null);
    if (files.length === 0 || !isCommercial(engine)) return false;
    return wanted === 'all' || sumBytes(files) <= SMALL_BYTES_MAX;
  });
}

/** Fetches the files of engines, one after the other, smallest first. What fails is left to the run that needs it. */
async function prefetchEngines(
  ctx: Context,
  engines: readonly OwnEngine[],
  { signal, onFetched }: PrefetchOptions,
): Promise<void> {
  const { env, log } = ctx;
  if (env.MODELS_OFFLINE) return;
  const store = openWeightStore(env);
  const wanted = listPrefetched(engines, env.MODELS_PREFETCH).toSorted(
    (one, other) => sumBytes(listFiles(one.engine)) - sumBytes(listFiles(other.engine)),
  );
  for (const { engine } of wanted) {
    signal.throwIfAborted();
    const files = listFiles(engine);
    const stored = await Promise.all(files.map((card) => store.has(card)));
    if (stored.every(Boolean) || !(await findEngineAvailability(ctx, engine)).isAvailable) continue;
    let reportedAtMs = performance.now();
    try {
      await store.fetch(files, {
        signal,
        // What jobs have used stays.
        keepsOthers: true,
        onProgress({ receivedBytes, totalBytes }) {
          if (performance.now() - reportedAtMs < REPORT_EVERY_MS) return;
          reportedAtMs = performance.now();
          log.info({ engine: engine.id, receivedBytes, totalBytes }, 'weights are being fetched');
        },
      });
    } catch (thrown) {
      signal.throwIfAborted();
      log.warn({ engine: engine.id, reason: getMessage(thrown) }, 'weights could not be fetched');
      continue;
    }
    log.info({ engine: engine.id }, 'weights were fetched');
    await onFetched();
  }
}

/** Returns the bytes of files together. One of unknown size counts as large. */
function sumBytes(files: readonly WeightCard[]): number {
  return files.reduce((sum, { bytes }) => sum + (bytes ?? Number.POSITIVE_INFINITY), 0);
}
