import type { Inference } from '../../../../models/core/runtime/inference.ts';
import type { UsedWeights } from '../../../../models/core/runtime/used-weights.ts';
import type { WeightCard } from '../../../../models/core/runtime/weight-card.ts';

/** Inference of one run, and what it has used. */
interface RecordedInference {
  readonly inference: Inference;
  /** Lists the files of weights that were used without a fault, in the order of their first use. */
  list(): readonly UsedWeights[];
}

/** Records the files of weights that a run uses. Those of a model that failed, and was replaced, are left out. */
export function recordWeights(inference: Inference): RecordedInference {
  const used = new Map<string, UsedWeights>();
  const record = ({ id, sha256 }: WeightCard): void => void used.set(sha256, { id, sha256 });
  return {
    inference: {
      availability: (card) => inference.availability(card),
      async use(card, options, work) {
        const result = await inference.use(card, options, work);
        record(card);
        return result;
      },
      async read(card, options) {
        const bytes = await inference.read(card, options);
        record(card);
        return bytes;
      },
    },
    list: () => [...used.values()],
  };
}
