import { rankEngines } from '../../../models/core/inference/engine-ladder.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { isDirectOnly } from '../../../models/core/operation/direct-response.ts';
import type { EngineNeed } from '../../../models/core/operation/engine-needs.ts';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import { listFiles, listOwnEngines, type OperationEngine } from '../../../models/core/runtime/fit.ts';
import { requiredParams } from '../../../models/core/runtime/required-params.ts';
import type { Context } from '../../base/context.ts';
import { AcceptanceStore } from '../../runtime/acceptance/index.ts';
import {
  type EngineAvailability,
  findEngineAvailability,
} from '../../runtime/inference/engine-availability.ts';
import { openWeightStore } from '../../runtime/weight-store/index.ts';

/** Time in which a source of weights must respond. */
const CONFIRM_MS = 2_000;

type Availabilities = ReadonlyMap<string, EngineAvailability>;

/** Category of an operation's verdict, and whether this installation can judge it. */
export interface CategoryAvailability {
  readonly category: string;
  readonly available: boolean;
}

/**
 * Checks that this installation has the engines that a request needs, before its files are fetched and any money moves.
 * @throws OperationError `engine_unavailable` or `category_unavailable` where it never has them, `unavailable` where
 *   their weights might still arrive
 */
export async function assertEngines(ctx: Context, operation: Operation, params: object): Promise<void> {
  const needs = operation.engineNeeds(params);
  if (needs.length === 0) return;
  if (operation.isComposite) return await assertPartEngines(ctx, operation, params);
  // A request without a later response does not wait for a download that no source begins. A job says so as it fails.
  if (isDirectOnly(operation)) await confirmSources(ctx, operation, needs);
  const availabilities = await findAvailabilities(ctx, operation);
  const unmet = needs.filter((need) => !canMeet(availabilities, need));
  const [named] = unmet.filter(({ code }) => code === 'engine_unavailable');
  if (named) throw engineError(named, availabilities);
  if (unmet.length === 0) return;
  const lasting = unmet.filter((need) => isLasting(availabilities, need));
  throw categoryError(lasting, unmet, getCategories(operation, availabilities));
}

/** Confirms the sources of the engines that a request needs, as far as their files are neither here nor served. */
async function confirmSources(
  { env }: Context,
  operation: Operation,
  needs: readonly EngineNeed[],
): Promise<void> {
  const ids = new Set(needs.flatMap(({ engines }) => engines));
  const engines = listOwnEngines(operation).filter(({ id }) => ids.has(id));
  const cards = engines.flatMap(listFiles).filter(({ id }) => !env.INFERENCE_ENDPOINTS.has(id));
  const weights = openWeightStore(env);
  await Promise.all([...new Set(cards)].map((card) => weights.confirm(card, CONFIRM_MS)));
}

async function assertPartEngines(ctx: Context, operation: Operation, params: object): Promise<void> {
  for (const part of operation.parts(params)) {
    await assertEngines(ctx, part.operation, part.params).catch((thrown) => {
      if (!(thrown instanceof OperationError) || thrown.field === undefined) throw thrown;
      const { code, kind, message, field } = thrown;
      const path = `${part.path}.${field}`;
      throw new OperationError(code, message.replace(`${field}: `, `${path}: `), {
        kind,
        field: path,
        cause: thrown,
      });
    });
  }
}

/** Lists the categories that an operation judges; none for most. Those of a pipeline are its steps' own. */
export async function listCategories(
  ctx: Context,
  operation: Operation,
): Promise<readonly CategoryAvailability[]> {
  return operation.isComposite ? [] : getCategories(operation, await findAvailabilities(ctx, operation));
}

function getCategories(operation: Operation, availabilities: Availabilities): CategoryAvailability[] {
  return operation
    .engineNeeds(requiredParams(operation.params))
    .filter(({ code }) => code === 'category_unavailable')
    .map((need) => ({ category: need.value, available: canMeet(availabilities, need) }));
}

async function findAvailabilities(ctx: Context, operation: Operation): Promise<Availabilities> {
  const found = listOwnEngines(operation).map(
    async (engine) => [engine.id, await findEngineAvailability(ctx, engine)] as const,
  );
  return new Map(await Promise.all(found));
}

function canMeet(availabilities: Availabilities, { engines }: EngineNeed): boolean {
  return engines.some((id) => availabilities.get(id)?.isAvailable);
}

/** Reports whether no other time helps: every engine that could do it is missing for good. */
function isLasting(availabilities: Availabilities, { engines }: EngineNeed): boolean {
  return engines.every((id) => {
    const found = availabilities.get(id);
    return found?.isAvailable === false && found.isLasting;
  });
}

function engineError(need: EngineNeed, availabilities: Availabilities): OperationError {
  const found = availabilities.get(need.value);
  const reason = found?.isAvailable === false ? `${found.reason} ` : '';
  const code = isLasting(availabilities, need) ? need.code : 'unavailable';
  return fieldError(
    need.field,
    `${need.value} cannot run here. ${reason}Leave the field out for another model.`,
    {
      code,
      kind: 'model_unusable',
    },
  );
}

function categoryError(
  lasting: readonly EngineNeed[],
  unmet: readonly EngineNeed[],
  categories: readonly CategoryAvailability[],
): OperationError {
  const getNames = (needs: readonly EngineNeed[]) => needs.map(({ value }) => value).join(', ');
  const available = categories.flatMap(({ category, available }) => (available ? [category] : []));
  const advice = `Available here: ${available.join(', ') || 'none'}.`;
  return lasting.length > 0
    ? fieldError(
        'categories',
        `no engine that this request may use can judge ${getNames(lasting)}. ${advice}`,
        {
          code: 'category_unavailable',
          kind: 'model_unusable',
        },
      )
    : fieldError(
        'categories',
        `the model that judges ${getNames(unmet)} could not be fetched lately. ${advice}`,
        {
          code: 'unavailable',
          kind: 'model_unreachable',
        },
      );
}

/**
 * Returns the best engine that this server can use now, by what it has measured.
 * @param serves whether an engine can do what the request asks
 * @throws OperationError `unavailable`
 */
export async function findAvailableEngine(
  ctx: Context,
  operation: Operation,
  serves: (engine: OperationEngine) => boolean = () => true,
): Promise<string> {
  const store = new AcceptanceStore(ctx.env);
  const known = (operation.engines ?? []).filter(serves).map(async (engine) => {
    if (engine.isOptIn || !(await findEngineAvailability(ctx, engine)).isAvailable) return [];
    const standing = engine.card === null ? null : await store.findAcceptanceStatus(operation, engine);
    return [{ engine, standing }];
  });
  const [best] = rankEngines((await Promise.all(known)).flat());
  if (!best) throw new OperationError('unavailable', 'No engine is available now. Try again later.');
  return best.id;
}
