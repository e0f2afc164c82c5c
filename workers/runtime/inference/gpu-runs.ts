import type { Provider, ProviderSession } from '../../../models/inference/provider-chain.ts';
import type { WeightCard } from '../../../models/runtime/weight-card.ts';

type Given = Parameters<ProviderSession['run']>;

/** Runs of a model on the GPU. */
export interface GpuRun {
  readonly card: WeightCard;
  readonly fastestMs: number;
  readonly feeds: Given[0];
  readonly wanted: Given[2];
}

/** In its first run, a GPU compiles its programs. */
const RUNS_MIN = 2;

/** Remembers how fast models run on the GPU, and on what. */
export class GpuRuns {
  readonly #runs = new Map<string, GpuRun & { readonly count: number }>();

  /** Returns the models that have run often enough to be compared. */
  list(): readonly GpuRun[] {
    return [...this.#runs.values()].filter(({ count }) => count >= RUNS_MIN);
  }

  /** Forgets a model, with the tensors of its last run. */
  forget({ sha256 }: WeightCard): void {
    this.#runs.delete(sha256);
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
            this.#add(card, performance.now() - startedAtMs, given);
            return outputs;
          },
        };
      },
    };
  }

  #add(card: WeightCard, tookMs: number, [feeds, , wanted]: Given): void {
    const { count = 0, fastestMs = tookMs } = this.#runs.get(card.sha256) ?? {};
    const fastest = Math.min(fastestMs, tookMs);
    this.#runs.set(card.sha256, { card, count: count + 1, fastestMs: fastest, feeds, wanted });
  }
}
