import { acceptsPrompt, OUTPAINT_ENGINES } from '../../../models/operations/extend/engines.ts';
import { describeTerms, type Model } from '../form/model.ts';

const BEST: Model = { id: 'auto', name: 'Best available', notes: ['No download needed.'] };

/** Models to choose from: the best available first. */
export const MODELS: readonly Model[] = [
  BEST,
  ...OUTPAINT_ENGINES.map(({ id, name, card, companions = [] }): Model => {
    if (!card)
      return {
        id,
        name,
        notes: [
          'Repeats patches of the image itself: fine for sky, water, grass and walls. No download needed.',
        ],
      };
    const work = acceptsPrompt(id)
      ? 'Paints what a prompt says. Runs only when you choose it.'
      : 'Continues shapes first, then patches give the detail.';
    return { id, name, notes: [work, describeTerms(card)], weights: [[card, ...companions]] };
  }),
];

/** Models on the server, for which this device needs nothing. */
export const MODELS_ON_SERVER: readonly Model[] = MODELS.map(({ id, name, notes }) => ({ id, name, notes }));
