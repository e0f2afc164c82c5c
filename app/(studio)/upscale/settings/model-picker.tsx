'use client';

import { fitModel } from '../../../../models/device/fit.ts';
import type { Scale } from '../../../../models/upscale/plan-passes.ts';
import { BEST_UPSCALER } from '../../../../models/upscale/upscalers.ts';
import { describeStorage, type StoredWeights, useStoredWeights } from '../../device/stored-weights.ts';
import { useDevice } from '../../device/use-device.ts';
import { unfitReason } from '../../fit/describe-fit.ts';
import { FoldedModels } from '../../form/folded-models.tsx';
import type { ModelChoice } from '../../form/model-list.tsx';
import { CHOICES, weightsFor } from './engines.ts';

interface ModelPickerProps {
  readonly model: string;
  readonly scale: Scale;
  readonly isVideo: boolean;
  readonly disabled: boolean;
  readonly onModel: (model: string) => void;
}

/** Chooses the model. One that is not on this device says its size: it is loaded with its first run. */
export function ModelPicker({ model, scale, isVideo, disabled, onModel }: ModelPickerProps) {
  const stored = useStoredWeights();
  const device = useDevice();
  const models = CHOICES.map(({ id, words }): ModelChoice => {
    if (id === BEST_UPSCALER) return { id, name: words.name, notes: [words.means] };
    const cards = weightsFor(id, scale, isVideo).map(({ card }) => card);
    const unfits = cards.map((card) => unfitReason(device && fitModel(card, device)));
    return {
      id,
      name: words.name,
      storage: storageOf(cards, stored),
      unfit: unfits.find((unfit) => unfit !== undefined),
      notes: [words.means, cards[0]?.licence.name ?? ''],
    };
  });
  return <FoldedModels name="model" models={models} value={model} disabled={disabled} onChoose={onModel} />;
}

type Card = Parameters<typeof describeStorage>[0][number];

function storageOf(cards: readonly Card[], stored: StoredWeights | undefined): string {
  return [...new Set(cards.map((card) => describeStorage([card], stored)))].join(' and ');
}
