import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describeFailure, isTested } from '../../../../models/acceptance/find-standing.ts';
import { declaredMemory, listFiles, type OperationEngine } from '../../../../models/core/device/fit.ts';
import type { Context } from '../../../base/context/context.ts';
import { AcceptanceStore } from '../../../runtime/acceptance/index.ts';
import { listAllEngines, type OwnEngine } from '../../../runtime/acceptance/list-all-engines.ts';
import { findEngineAvailability } from '../../../runtime/inference/engine-availability.ts';
import { openWeightStore } from '../../../runtime/weight-store/index.ts';
import { createWeightBound } from './bound-weights.ts';
import { measureInChild } from './measure-in-child.ts';
import { prefetchEngines } from './prefetch.ts';

const REGISTRY = fileURLToPath(new URL('../../../../models/registry.ts', import.meta.url));
/** Memory of a test beside its models. */
const BASE_BYTES = 500_000_000;
/** Pause between two looks for engines whose files have arrived meanwhile. */
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
export function startKeepingModels(ctx: Context, options: KeptModelsOptions): () => Promise<void> {
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
    // Bundled engines first: they answer while others still arrive.
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
 * Measures the engines that are here and were not measured yet, or only beside a job, which tells little of their
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

/** Reports whether an engine may run and all of its files are here, or in a folder beside. */
async function isHere(ctx: Context, engine: OperationEngine): Promise<boolean> {
  const store = openWeightStore(ctx.env);
  const files = listFiles(engine);
  const isNear = await Promise.all(
    files.map((card) => ctx.env.INFERENCE_ENDPOINTS.has(card.id) || store.isNear(card)),
  );
  return isNear.every(Boolean) && (await findEngineAvailability(ctx, engine)).isAvailable;
}
