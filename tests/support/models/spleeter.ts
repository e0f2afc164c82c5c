import { NO_MODELS } from '../../../models/core/inference/model-errors.ts';
import type { Inference, Session } from '../../../models/core/runtime/inference.ts';
import { getFloats } from '../../../models/core/runtime/tensor.ts';
import { SPLEETER_CARDS } from '../../../models/operations/stems/spleeter-masker.ts';

/** Channels, segments, frames and bins of the contract. */
const DIMS = [2, 1, 512, 1024] as const;

/**
 * Output of a network.
 * @param stem number in the order of the cards: vocals, drums, bass, other
 * @param magnitudes 2 x 512 x 1024
 * @param call how many it has run before
 */
export type SpleeterOutput = (stem: number, magnitudes: Float32Array, call: number) => Float32Array;

/** Creates an inference whose networks of Spleeter return what a function says; no other model is there. */
export function createSpleeterInference(
  getOutput: SpleeterOutput,
  dims: readonly number[] = DIMS,
): Inference {
  const calls = SPLEETER_CARDS.map(() => 0);
  return {
    availability: async ({ id }) => (SPLEETER_CARDS.some((card) => card.id === id) ? 'ready' : 'unavailable'),
    read: NO_MODELS.read,
    use(card, _options, work) {
      const stem = SPLEETER_CARDS.findIndex(({ id }) => id === card.id);
      const session: Session = {
        inputs: [{ name: 'x', type: 'float32', dims: [2, null, 512, 1024] }],
        outputs: [{ name: 'y', type: 'float32', dims: [2, null, 512, 1024] }],
        async run({ x }) {
          if (!x || x.dims.join() !== DIMS.join()) throw new Error('the input has another shape');
          const call = calls[stem] ?? 0;
          calls[stem] = call + 1;
          const data = Float32Array.from(getOutput(stem, getFloats(x), call));
          return { outputs: { y: { type: 'float32', dims, data } }, provider: 'cpu', notices: [] };
        },
      };
      return work(session);
    },
  };
}
