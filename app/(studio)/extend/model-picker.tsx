'use client';

import { fitModel } from '../../../models/device-fit.ts';
import { OUTPAINT_ENGINES } from '../../../models/image-outpaint/outpaint-engines.ts';
import { describeStorage, useStoredWeights } from '../device/stored-weights.ts';
import { useDevice } from '../device/use-device.ts';
import { lackOf } from '../frame/describe-fit.ts';
import { FoldedModels } from '../frame/folded-models.tsx';
import type { ModelChoice } from '../frame/model-list.tsx';

interface ModelPickerProps {
  readonly engine: string;
  readonly disabled: boolean;
  readonly onEngine: (engine: string) => void;
}

const BEST: ModelChoice = { id: 'auto', name: 'Best available', notes: ['No download needed.'] };

/** Chooses the model. One that is not on this device says its size: it is loaded with its first run. */
export function ModelPicker({ engine, disabled, onEngine }: ModelPickerProps) {
  const stored = useStoredWeights();
  const device = useDevice();
  const models = OUTPAINT_ENGINES.map(({ id, name, card }): ModelChoice => {
    if (!card) return { id, name, notes: ['Repeats patches of the image itself. No download needed.'] };
    return {
      ...{ id, name, storage: describeStorage(card, stored) },
      lack: lackOf(device && fitModel(card, device)),
      notes: ['Continues shapes first, then patches give the detail.', card.licence.name],
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
