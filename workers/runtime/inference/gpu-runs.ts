import type { Provider, ProviderSession } from '../../../models/core/inference/provider-chain.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';

type RunArguments = Parameters<ProviderSession['run']>;

/** Runs of a model on the GPU, all on inputs of one shape. Can be sent to another worker. */
export interface GpuRun {
  readonly card: WeightCard;
  readonly fastestMs: number;
  readonly feeds: RunArguments[0];
  readonly wanted: RunArguments[2];
}

/** Runs on inputs of one shape. */
interface ShapeTimes {
  readonly count: number;
  readonly fastestMs: number;
}

/** Runs of a model. */
interface ModelRuns {
  readonly times: Map<string, ShapeTimes>;
  /** Most frequent shape, with the tensors of its last run. */
  frequent: GpuRun & ShapeTimes;
}

/** In the first run of a shape, a GPU compiles its programs. */
const RUNS_MIN = 2;

/** Remembers how fast models run on the GPU, and on what. */
export class GpuRuns {
  readonly #models = new Map<string, ModelRuns>();

  /** Returns the models that have run often enough on one shape to be compared. */
  list(): readonly GpuRun[] {
    return [...this.#models.values()]
      .filter(({ frequent }) => frequent.count >= RUNS_MIN)
      .map(({ frequent: { card, fastestMs, feeds, wanted } }) => ({ card, fastestMs, feeds, wanted }));
  }

  /** Measures all runs of a provider. */
  measured(card: WeightCard, provider: Provider): Provider {
    return {
      ...provider,
      open: async (signal) => {
        const session = await provider.open(signal);
        return {
          ...session,
          run: async (...given) => {
            const startedAtMs = performance.now();
            const outputs = await session.run(...given);
            this.add(card, performance.now() - startedAtMs, given);
            return outputs;
          },
        };
      },
    };
  }

  /** Adds a run that took a time, in milliseconds. */
  add(card: WeightCard, tookMs: number, [feeds, , wanted]: RunArguments): void {
    const model = this.#models.get(card.sha256);
    const shape = getShape(feeds, wanted);
    const { count, fastestMs } = model?.times.get(shape) ?? { count: 0, fastestMs: tookMs };
    const times = { count: count + 1, fastestMs: Math.min(fastestMs, tookMs) };
    const run = { card, feeds, wanted, ...times };
    if (!model) {
      this.#models.set(card.sha256, { times: new Map([[shape, times]]), frequent: run });
      return;
    }
    model.times.set(shape, times);
    if (times.count >= model.frequent.count) model.frequent = run;
  }
}

/** Returns the same text for runs that compute equally much. */
function getShape(feeds: RunArguments[0], wanted: RunArguments[2]): string {
  const inputs = Object.entries(feeds).map(([name, { type, dims }]) => [name, type, dims] as const);
  return JSON.stringify([inputs, wanted]);
}
