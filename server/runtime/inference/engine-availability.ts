import { describeFailure } from '../../../models/acceptance/find-acceptance-status.ts';
import { listFiles, type OperationEngine } from '../../../models/core/runtime/fit.ts';
import type { WeightSource } from '../../../models/core/runtime/inference.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import type { Context } from '../../base/context.ts';
import { AcceptanceStore, describeMemoryShortage } from '../acceptance/index.ts';
import { openWeightStore } from '../weight-store/index.ts';

/** Sources of models, which decide what a process can run. */
export interface ModelSources {
  readonly weights: Pick<WeightSource, 'has'> & { mayFetch(card: WeightCard): Promise<boolean> };
  /** URLs of models on an inference server, by the id of their weights. */
  readonly endpoints: ReadonlyMap<string, string>;
  /** Limit for all sessions in this process together. */
  readonly memoryBytesMax: number;
  /** Returns the memory of a session as measured on this machine. Absent: what its card declares. */
  readonly getMemory?: ((card: WeightCard) => Promise<number>) | undefined;
  /** Licences of weights that may be used; all when absent. */
  readonly licences?: 'commercial' | 'all';
}

/** Whether an engine can run on this installation, now or once its weights are fetched. */
export type EngineAvailability =
  | { readonly isAvailable: true }
  /** `isLasting`: no later attempt helps, only the operator. */
  | { readonly isAvailable: false; readonly reason: string; readonly isLasting: boolean };

/**
 * Tells whether this installation has an engine: one that passed its test, if it was measured, and whose files may be
 * used and are here or can be fetched.
 * @param endpoints of inference servers, by the id of the weights
 */
export async function findEngineAvailability(
  { env }: Pick<Context, 'env'>,
  engine: OperationEngine,
  endpoints: ReadonlyMap<string, string> = env.INFERENCE_ENDPOINTS,
): Promise<EngineAvailability> {
  const files = listFiles(engine);
  const acceptances = new AcceptanceStore(env);
  const operation = engine.card?.operation ?? '';
  const measured = engine.card && (await acceptances.read(operation, engine));
  if (measured && !measured.passed) return lacking(describeFailure(measured));
  const weights = openWeightStore(env);
  const unlicensed = files.find((card) => !isLicensed(card, env.MODELS_LICENCES));
  if (unlicensed) return lacking(describeLicence(unlicensed));
  const isServed = files.every(({ id }) => endpoints.has(id));
  const { neededBytes = 0 } = isServed ? {} : ((await acceptances.readMemory(operation, engine)) ?? {});
  if (neededBytes > env.INFERENCE_MEMORY_MB * 1_000_000)
    return lacking(describeMemoryShortage(neededBytes, env));
  const local = files.filter(({ id, url }) => url !== null && !endpoints.has(id));
  const isStored = await Promise.all(local.map((card) => weights.has(card)));
  const diskBytes = local.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  if (!isStored.every(Boolean) && diskBytes > env.MODELS_DISK_MB * 1_000_000) {
    return lacking(describeDiskShortage(diskBytes, env));
  }
  const sources = { weights, endpoints, memoryBytesMax: Number.POSITIVE_INFINITY };
  for (const card of files) {
    if ((await findAvailability(card, sources)) !== 'unavailable') continue;
    if (await weights.isWrong(card))
      return lacking(`Its weights ${card.id} have other bytes at their source.`);
    return (await weights.hasSource(card))
      ? {
          isAvailable: false,
          reason: `Its weights ${card.id} could not be fetched lately.`,
          isLasting: false,
        }
      : lacking(`Its weights ${card.id} are missing.`);
  }
  return { isAvailable: true };
}

function lacking(reason: string): EngineAvailability {
  return { isAvailable: false, reason, isLasting: true };
}

function describeDiskShortage(
  bytes: number,
  { MODELS_DISK_MB }: Pick<Context['env'], 'MODELS_DISK_MB'>,
): string {
  return `Its weights have ${Math.ceil(bytes / 1_000_000)} MB, and MODELS_DISK_MB allows ${MODELS_DISK_MB}.`;
}

function describeLicence({ id, licence }: WeightCard): string {
  const doubt = licence.commercial === 'no' ? 'forbids commercial use' : 'leaves commercial use unclear';
  return `The licence of its weights ${id} ${doubt}, and MODELS_LICENCES allows commercial ones only.`;
}

/** Reports whether the licence of a file lets the service use it. */
export function isLicensed({ licence }: WeightCard, licences: ModelSources['licences'] = 'all'): boolean {
  return licences === 'all' || licence.commercial === undefined;
}

/** Tells whether a model can run, as `Inference.availability` does. */
export async function findAvailability(
  card: WeightCard,
  { weights, endpoints, memoryBytesMax, getMemory, licences }: ModelSources,
): Promise<'ready' | 'download' | 'unavailable'> {
  if (!isLicensed(card, licences)) return 'unavailable';
  if (endpoints.has(card.id)) return 'ready';
  const memoryBytes = getMemory ? await getMemory(card) : card.memoryBytes;
  if (memoryBytes > memoryBytesMax) return 'unavailable';
  if (await weights.has(card)) return 'ready';
  return (await weights.mayFetch(card)) ? 'download' : 'unavailable';
}
