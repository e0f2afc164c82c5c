'use client';

import { ChevronDown } from 'lucide-react';
import { type Device, fitModels } from '../../../models/core/device/fit.ts';
import { unfitReason } from '../runs/describe-fit.ts';
import { describeStorage, type StoredWeights, useStoredWeights } from '../runs/stored-weights.ts';
import { useDevice } from '../runs/use-device.ts';
import folded from './folded-form.module.css';
import type { Model } from './model.ts';
import { type ModelChoice, ModelList } from './model-list.tsx';

interface ModelPickerProps {
  /** Name shared by the radio buttons. */
  readonly name: string;
  readonly models: readonly Model[];
  readonly value: string;
  readonly disabled?: boolean;
  /** Whether the list is folded until somebody wants it; its head names the chosen model. */
  readonly isFolded?: boolean;
  readonly onChoose: (id: string) => void;
}

/** Chooses the model. One that is not on this device says its size: it is loaded with its first run. */
export function ModelPicker({ models, isFolded = true, ...list }: ModelPickerProps) {
  const stored = useStoredWeights();
  const device = useDevice();
  const choices = models.map((model) => choiceOf(model, stored, device));
  if (!isFolded) return <ModelList {...list} models={choices} />;
  return (
    <details className={folded.folded}>
      <summary>
        <span>Model</span>
        <span className={folded.changed}>{models.find(({ id }) => id === list.value)?.name}</span>
        <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
      </summary>
      <ModelList {...list} models={choices} isTitled={false} />
    </details>
  );
}

function choiceOf(
  { id, name, notes, weights, fit }: Model,
  stored: StoredWeights | undefined,
  device: Device | undefined,
): ModelChoice {
  if (!weights) return { id, name, notes };
  const fits = fit ? [fit] : weights.map((cards) => device && fitModels(cards, device));
  const sizes = new Set(weights.map((cards) => describeStorage(cards, stored)));
  return {
    id,
    name,
    notes,
    storage: [...sizes].join(' and '),
    unfit: fits.map(unfitReason).find((unfit) => unfit !== undefined),
  };
}
