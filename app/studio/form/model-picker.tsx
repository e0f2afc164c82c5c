'use client';

import { type Device, fitModels } from '../../../models/core/runtime/fit.ts';
import { type Unfit, unfitReason } from '../runs/describe-run.ts';
import { describeStorage, type StoredWeights, useStoredWeights } from '../runs/stored-weights.ts';
import { useDevice } from '../runs/use-device.ts';
import { FoldedSettings } from './folded-settings.tsx';
import type { Model } from './model.ts';
import styles from './model-list.module.css';

/** One model of a list. */
interface ModelChoice extends Pick<Model, 'id' | 'name' | 'notes'> {
  /** Its size, and where its weights are. */
  readonly storage?: string;
  /** Why it cannot run here; undefined where it can. */
  readonly unfit?: Unfit | undefined;
}

interface ModelListProps {
  /** Name shared by the radio buttons. */
  readonly name: string;
  readonly models: readonly ModelChoice[];
  readonly value: string;
  readonly disabled?: boolean;
  /** Whether the title can be seen. Screen readers always read it. */
  readonly isTitled?: boolean;
  readonly onChoose: (id: string) => void;
}

interface ModelPickerProps extends Omit<ModelListProps, 'models' | 'isTitled'> {
  readonly models: readonly Model[];
  /** Whether the list is folded until the visitor opens it; its head names the chosen model. */
  readonly isFolded?: boolean;
}

/** Chooses the model. One that is not on this device says its size: it is loaded with its first run. */
export function ModelPicker({ models, isFolded = true, ...list }: ModelPickerProps) {
  const stored = useStoredWeights();
  const device = useDevice();
  const choices = models.map((model) => getChoice(model, stored, device));
  if (!isFolded) return <ModelList {...list} models={choices} />;
  return (
    <FoldedSettings title="Model" summary={models.find(({ id }) => id === list.value)?.name}>
      <ModelList {...list} models={choices} isTitled={false} />
    </FoldedSettings>
  );
}

function getChoice(
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

/** List of models with what each needs. One that cannot run here says why, and cannot be chosen. */
function ModelList(props: ModelListProps) {
  const { name, models, value, disabled = false, isTitled = true, onChoose } = props;
  return (
    <fieldset className={styles.models} disabled={disabled}>
      <legend className={isTitled ? undefined : 'sr-only'}>Model</legend>
      {models.map(({ id, unfit, ...model }) => {
        const isExcluded = unfit !== undefined && !unfit.mayRetry;
        return (
          <label key={id}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={id === value}
              disabled={isExcluded}
              onChange={() => onChoose(id)}
            />
            <span>
              <strong>{model.name}</strong>
              {model.storage && (
                <span className="facts">{isExcluded ? 'not on this device' : model.storage}</span>
              )}
              {unfit && <small>{unfit.reason}</small>}
              {model.notes.map((note) => (
                <small key={note}>{note}</small>
              ))}
            </span>
          </label>
        );
      })}
      <p>
        <a href="/settings#models" target="_blank" rel="noreferrer">
          Licences of the models<span className="sr-only"> (opens in a new tab)</span>
        </a>
      </p>
    </fieldset>
  );
}
