'use client';

import type { Unfit } from '../runs/describe-fit.ts';
import styles from './model-list.module.css';

/** One model of a list. */
export interface ModelChoice {
  readonly id: string;
  readonly name: string;
  /** Its size, and where its weights are. */
  readonly storage?: string;
  /** Why it cannot run here; undefined where it can. */
  readonly unfit?: Unfit | undefined;
  readonly notes: readonly string[];
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

/** List of models with what each needs. One that cannot run here says why, and cannot be chosen. */
export function ModelList(props: ModelListProps) {
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
    </fieldset>
  );
}
