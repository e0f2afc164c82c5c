'use client';

import { fitModels } from '../../../models/device/fit.ts';
import { acceptsPrompt, OUTPAINT_ENGINES } from '../../../models/image-outpaint/engines.ts';
import { describeStorage, useStoredWeights } from '../device/stored-weights.ts';
import { useDevice } from '../device/use-device.ts';
import { unfitReason } from '../fit/describe-fit.ts';
import { FoldedModels } from '../form/folded-models.tsx';
import type { ModelChoice } from '../form/model-list.tsx';

interface ModelPickerProps {
  readonly engine: string;
  /** Whether the server runs it: then this device needs nothing for it. */
  readonly isOnServer: boolean;
  readonly disabled: boolean;
  readonly onEngine: (engine: string) => void;
}

const BEST: ModelChoice = { id: 'auto', name: 'Best available', notes: ['No download needed.'] };

/** Chooses the model. One that is not on this device says its size: it is loaded with its first run. */
export function ModelPicker({ engine, isOnServer, disabled, onEngine }: ModelPickerProps) {
  const stored = useStoredWeights();
  const device = useDevice();
  const models = OUTPAINT_ENGINES.map(({ id, name, card, companions = [] }): ModelChoice => {
    if (!card) return { id, name, notes: ['Repeats patches of the image itself. No download needed.'] };
    const cards = [card, ...companions];
    const { name: licence, consequence } = card.licence;
    return {
      ...{ id, name },
      ...(!isOnServer && {
        storage: describeStorage(cards, stored),
        unfit: unfitReason(device && fitModels(cards, device)),
      }),
      notes: [
        acceptsPrompt(id)
          ? 'Paints what a prompt says. Runs only when you choose it.'
          : 'Continues shapes first, then patches give the detail.',
        consequence === undefined ? licence : `${licence}. ${consequence}`,
      ],
    };
  });
  return (
    <FoldedModels
      name="engine"
      models={[BEST, ...models]}
      value={engine}
      disabled={disabled}
      onChoose={onEngine}
    />
  );
}
