import { OperationError } from '../operation/errors.ts';
import type { AcceptanceStatus } from '../runtime/acceptances.ts';
import { nameEngine } from '../runtime/engine-name.ts';
import type { Inference, Session, WeightOptions } from '../runtime/inference.ts';
import { formatWarning, type RunWarning } from '../runtime/run-warnings.ts';
import type { WeightCard } from '../runtime/weight-card.ts';

/** Engine with what is known of it. Null: it has no weights, and needs no test. */
interface RankedEngine<Engine> {
  readonly engine: Engine;
  readonly standing: AcceptanceStatus | null;
}

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
   * Whether only its name chooses it, and `auto` never does: it costs a download, memory or time that users do not expect.
   */
  readonly isOptIn?: boolean;
  /** Warning for the user when `auto` ran this engine because better ones, which are there, failed. */
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

type EngineFiles = { readonly cards: readonly WeightCard[] } | { readonly card: WeightCard | null };

export type Engine<Value> = ModelEngine<Value> | ComposedEngine<Value> | ClassicalEngine<Value>;

export interface LadderOptions extends WeightOptions {
  /** Id of an engine, or `auto` for the best available. */
  readonly engine: string;
  /** Purpose of the engines, to follow "No model that": `finds subjects`. */
  readonly purpose: string;
  /** Whether the user named these engines by another param. Then their weights may use the user's own connection. */
  readonly isNamed?: boolean;
  /** Whether the input decides the order of the engines, and no figure changes it. Defaults to false. */
  readonly keepsOrder?: boolean;
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
 * warning names both; weights on the user's own connection are used only when the engine is named. Where the device
 * keeps acceptance tests, `auto` goes by their figures, and an engine is measured before its first use.
 * @param engines best first
 * @throws OperationError `unavailable` when no engine is left; any other error of an engine
 */
export async function runBestEngine<Value>(
  inference: Inference,
  engines: readonly Engine<Value>[],
  options: LadderOptions,
): Promise<LadderResult<Value>> {
  const failures: { readonly id: string; readonly error: OperationError }[] = [];
  const { available, isOnRequest, isChosen } = await findEngines(inference, engines, options);
  for (const engine of available) {
    try {
      await assertAccepted(inference, engine, options);
      const { value, provider, notices = [] } = await runEngine(inference, engine, options);
      const { id, fallbackWarning } = engine;
      const isFallback = options.engine === 'auto' && failures.length > 0 && !isOnRequest && !isChosen;
      const fallback = isFallback ? fallbackWarning : undefined;
      // The reasons are for the operator of the service; the user reads what came of them.
      const replaced = failures.map((failed) => formatWarning('replaced', failed.id, id));
      return {
        value,
        id,
        engine: nameEngine({ id, provider }),
        warnings: [...(fallback === undefined ? replaced : []), ...notices, ...(fallback ? [fallback] : [])],
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

/**
 * Checks that an engine does its work on this device. The first check of an engine measures it.
 * @throws OperationError `unavailable` when it fails
 */
export async function assertAccepted(
  { acceptances }: Inference,
  engine: EngineCard & EngineFiles,
  { signal, onProgress }: WeightOptions,
): Promise<void> {
  const [card] = getFiles(engine);
  if (!acceptances || !card) return;
  const known = await acceptances.find(card.operation, engine.id);
  const standing =
    known.state === 'unknown'
      ? await acceptances.measure(card.operation, engine.id, { signal, ...(onProgress && { onProgress }) })
      : known;
  if (standing.state !== 'failed') return;
  throw new OperationError('unavailable', `${engine.id} is not used here. ${standing.reason}`, {
    kind: 'model_unusable',
  });
}

function runEngine<Value>(
  inference: Inference,
  engine: Engine<Value>,
  options: LadderOptions,
): Promise<EngineRun<Value>> {
  if ('cards' in engine || engine.card === null) return engine.run();
  // Opening a model may take longer than running it, and bundled weights report no download.
  options.onProgress?.({ fraction: 0 });
  return inference.use(engine.card, options, (session) => engine.run(session));
}

/** Engines that may run, in their order. */
interface FoundEngines<Value> {
  readonly available: readonly Engine<Value>[];
  /** Whether the user could have another one by naming it. */
  readonly isOnRequest: boolean;
  /** Whether the first one was chosen among several that passed their tests. */
  readonly isChosen: boolean;
}

async function findEngines<Value>(
  inference: Inference,
  engines: readonly Engine<Value>[],
  { engine: requested, isNamed = requested !== 'auto', keepsOrder = false }: LadderOptions,
): Promise<FoundEngines<Value>> {
  const available: Engine<Value>[] = [];
  let isOnRequest = false;
  for (const engine of engines) {
    if (requested === 'auto' ? engine.isOptIn : requested !== engine.id) continue;
    const availability = await getAvailability(inference, engine);
    const mayUse = availability !== 'on-request' || isNamed;
    if (!mayUse) isOnRequest = true;
    if (availability !== 'unavailable' && mayUse) available.push(engine);
  }
  const { acceptances } = inference;
  if (!acceptances || isNamed) return { available, isOnRequest, isChosen: false };
  const known = await Promise.all(
    available.map(async (engine) => {
      const [card] = getFiles(engine);
      return { engine, standing: card ? await acceptances.find(card.operation, engine.id) : null };
    }),
  );
  const passed = known.filter(({ standing }) => standing?.state === 'passed');
  return { available: rankEngines(known, keepsOrder), isOnRequest, isChosen: passed.length > 1 };
}

/** Availabilities, the worst first. */
const AVAILABILITIES = ['unavailable', 'on-request', 'download'] as const;

function getFiles(engine: EngineFiles): readonly WeightCard[] {
  if ('cards' in engine) return engine.cards;
  return engine.card === null ? [] : [engine.card];
}

/** Returns the worst availability of an engine's files. */
async function getAvailability<Value>(inference: Inference, engine: Engine<Value>) {
  const found = await Promise.all(getFiles(engine).map((card) => inference.availability(card)));
  return AVAILABILITIES.find((each) => found.includes(each)) ?? 'ready';
}

function noneAvailable({ engine, purpose }: LadderOptions): string {
  return engine === 'auto'
    ? `No model that ${purpose} is available.`
    : `engine: ${engine} is not available: its weights are missing, or it needs too much memory. Use auto for another model.`;
}

/**
 * Ranks engines for `auto`: those that passed their test in time, the best figure first; then those without weights;
 * then the slow ones, the fastest first; then those that are not measured yet. One that failed is left out.
 * @param engines in their order, which decides among equals
 * @param keepsOrder whether the input has decided their order: then no figure changes it
 */
export function rankEngines<Engine>(engines: readonly RankedEngine<Engine>[], keepsOrder = false): Engine[] {
  return engines
    .filter(({ standing }) => standing?.state !== 'failed')
    .toSorted((one, other) => {
      const [a, b] = [one.standing, other.standing];
      const places = getPlace(a) - getPlace(b);
      if (places !== 0 || keepsOrder || a?.state !== 'passed' || b?.state !== 'passed') return places;
      return a.isSlow ? a.seconds - b.seconds : b.quality - a.quality;
    })
    .map(({ engine }) => engine);
}

function getPlace(standing: AcceptanceStatus | null): number {
  if (standing === null) return 1;
  if (standing.state !== 'passed') return 3;
  return standing.isSlow ? 2 : 0;
}
