'use client';

import type { Lack } from './describe-fit.ts';
import styles from './model-list.module.css';

/** One model of a list. */
export interface ModelChoice {
  readonly id: string;
  readonly name: string;
  /** Its size, and where its weights are. */
  readonly storage?: string;
  /** Why it cannot run here; undefined where it can. */
  readonly lack?: Lack | undefined;
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
      <legend className={isTitled ? undefined : 'heard-only'}>Model</legend>
      {models.map(({ id, lack, ...model }) => {
        const isExcluded = lack !== undefined && !lack.mayRetry;
        return (
          <label key={id}>
            <input
              type="radio"
              className="unseen-input"
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
              {lack && <small>{lack.reason}</small>}
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
