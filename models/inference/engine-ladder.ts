import { OperationError } from '../operation/errors.ts';
import type { Inference, Session, WeightOptions } from '../runtime/inference.ts';
import { formatWarning, type RunWarning } from '../runtime/run-warnings.ts';
import type { WeightCard } from '../runtime/weight-card.ts';

/** Output of an engine, with notes for the user. */
export interface EngineRun<Value> {
  readonly value: Value;
  /** Execution provider; absent for a classical method. */
  readonly provider?: string;
  readonly notices?: readonly RunWarning[];
}

interface EngineCard {
  /** Name of the engine in requests: the id of its weights, or of the method. */
  readonly id: string;
  /**
   * Whether only its name chooses it, and `auto` never does: it costs a download, memory or time that nobody expects.
   */
  readonly isOptIn?: boolean;
  /** Warning for the user when `auto` fell back to this engine. */
  readonly autoWarning?: RunWarning;
  /** Warning for the user when `auto` ran this engine because every better one was missing or failed. */
  readonly fallbackWarning?: RunWarning;
}

/** Engine that runs a model. */
export interface ModelEngine<Value> extends EngineCard {
  readonly card: WeightCard;
  run(session: Session): Promise<EngineRun<Value>>;
}

/** Engine of several files, which opens its models itself, one after the other. */
export interface ComposedEngine<Value> extends EngineCard {
  readonly cards: readonly WeightCard[];
  run(): Promise<EngineRun<Value>>;
}

/** Engine without weights, always available. */
export interface ClassicalEngine<Value> extends EngineCard {
  readonly card: null;
  run(): Promise<EngineRun<Value>>;
}

export type Engine<Value> = ModelEngine<Value> | ComposedEngine<Value> | ClassicalEngine<Value>;

export interface LadderOptions extends WeightOptions {
  /** Id of an engine, or `auto` for the best available. */
  readonly engine: string;
  /** Purpose of the engines, to follow "No model that": `finds subjects`. */
  readonly purpose: string;
  /** Whether the user named these engines by another param. Then their weights may use the user's own connection. */
  readonly isNamed?: boolean;
}

export interface LadderResult<Value> {
  readonly value: Value;
  /** Id of the engine that ran. */
  readonly id: string;
  /** Engine and execution provider, as results name them: `u2netp on cpu`. */
  readonly engine: string;
  /** Warnings of failed engines, and those of the engine that ran. */
  readonly warnings: readonly RunWarning[];
}

/**
 * Runs the best available engine. With `auto`, an engine that cannot be loaded or run yields to the next, and a
 * warning names both; weights on the user's own connection are used only when the engine is named.
 * @param engines best first
 * @throws OperationError `unavailable` when no engine is left; any other error of an engine
 */
export async function runBestEngine<Value>(
  inference: Inference,
  engines: readonly Engine<Value>[],
  options: LadderOptions,
): Promise<LadderResult<Value>> {
  const failures: { readonly id: string; readonly error: OperationError }[] = [];
  const { available, isOnRequest } = await findEngines(inference, engines, options);
  for (const engine of available) {
    try {
      const { value, provider, notices = [] } = await runEngine(inference, engine, options);
      const { id, autoWarning, fallbackWarning } = engine;
      const isAuto = options.engine === 'auto';
      const isFallback = isAuto && engine !== engines[0] && !isOnRequest;
      const fallback = isFallback ? fallbackWarning : undefined;
      // The reasons are for whoever runs the service; the user reads what came of them.
      const replaced = failures.map((failed) => formatWarning('replaced', failed.id, id));
      const cautions = [fallback, isAuto ? autoWarning : undefined].filter((each) => each !== undefined);
      return {
        value,
        id,
        engine: provider === undefined ? id : `${id} on ${provider}`,
        warnings: [...(fallback === undefined ? replaced : []), ...notices, ...cautions],
      };
    } catch (thrown) {
      if (!(thrown instanceof OperationError) || thrown.code !== 'unavailable') throw thrown;
      failures.push({ id: engine.id, error: thrown });
    }
  }
  const messages = [noneAvailable(options), ...failures.map(({ error }) => error.message)];
  const kind = failures.at(-1)?.error.kind ?? 'model_unusable';
  throw new OperationError('unavailable', messages.join(' '), { kind });
}

function runEngine<Value>(
  inference: Inference,
  engine: Engine<Value>,
  options: LadderOptions,
): Promise<EngineRun<Value>> {
  return 'cards' in engine || engine.card === null
    ? engine.run()
    : inference.use(engine.card, options, (session) => engine.run(session));
}

/** Lists the engines that may run, and reports whether the user could have another one by naming it. */
async function findEngines<Value>(
  inference: Inference,
  engines: readonly Engine<Value>[],
  { engine: requested, isNamed = requested !== 'auto' }: LadderOptions,
): Promise<{ available: Engine<Value>[]; isOnRequest: boolean }> {
  const available: Engine<Value>[] = [];
  let isOnRequest = false;
  for (const engine of engines) {
    if (requested === 'auto' ? engine.isOptIn : requested !== engine.id) continue;
    const availability = await availabilityOf(inference, engine);
    const mayUse = availability !== 'on-request' || isNamed;
    if (!mayUse) isOnRequest = true;
    if (availability !== 'unavailable' && mayUse) available.push(engine);
  }
  return { available, isOnRequest };
}

/** Availabilities, the worst first. */
const AVAILABILITIES = ['unavailable', 'on-request', 'download'] as const;

/** Returns the worst availability of an engine's files. */
async function availabilityOf<Value>(inference: Inference, engine: Engine<Value>) {
  const cards = 'cards' in engine ? engine.cards : engine.card === null ? [] : [engine.card];
  const found = await Promise.all(cards.map((card) => inference.availability(card)));
  return AVAILABILITIES.find((each) => found.includes(each)) ?? 'ready';
}

function noneAvailable({ engine, purpose }: LadderOptions): string {
  return engine === 'auto'
    ? `No model that ${purpose} is available.`
    : `engine: ${engine} is not available: its weights are missing, or it needs too much memory. Use auto for another model.`;
}
