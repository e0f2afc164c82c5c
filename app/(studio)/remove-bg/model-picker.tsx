'use client';

import { useState } from 'react';
import { fitModel, type RunFit } from '../../../models/device-fit.ts';
import { describeStorage, type StoredWeights, useStoredWeights } from '../device/stored-weights.ts';
import { useDevice } from '../device/use-device.ts';
import choices from '../frame/choice-field.module.css';
import { lackOf } from '../frame/describe-fit.ts';
import type { ParamValues } from '../frame/fields.ts';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { ENGINES, type Engine } from './engines.ts';
import styles from './model-picker.module.css';

interface ModelPickerProps {
  readonly work: FileRuns;
  /** Where the selected file can run, with each model; undefined without a file, or until that is known. */
  readonly fit: RunFit | undefined;
}

const SUBJECTS = { all: 'All subjects', primary: 'The largest' } as const;

/**
 * Chooses how the subject is found. A change needs a new run and drops results, so it waits for a click: arrow keys
 * pass through every choice.
 */
export function ModelPicker({ work, fit }: ModelPickerProps) {
  const [pending, setPending] = useState<ParamValues>({});
  const { engine, subject } = { ...work.values, ...pending };
  const stored = useStoredWeights();
  const device = useDevice();
  const fitOf = ({ id, card }: Engine) => fit?.engines.get(id) ?? (device && fitModel(card, device));
  const chosen = ENGINES.find(({ id }) => id === engine);
  const isOther = engine !== work.values.engine || subject !== work.values.subject;
  const change = (changed: ParamValues) => {
    if (work.items.length > 0) setPending({ ...pending, ...changed });
    else work.changeAndStart({ ...work.values, ...changed });
  };
  const takeOver = () => {
    setPending({});
    work.changeAndStart({ ...work.values, ...pending });
  };
  return (
    <details className={styles.finding}>
      <summary>
        <span>Subject</span>
        <span className="facts">
          {subject === 'primary' ? 'largest' : 'all'} · {chosen?.name ?? 'best available'}
        </span>
      </summary>
      <fieldset className={styles.subjects}>
        <legend className="heard-only">Keep</legend>
        {(['all', 'primary'] as const).map((each) => (
          <label key={each} className={choices.choice}>
            <input
              type="radio"
              className="unseen-input"
              name="subject"
              checked={subject === each}
              onChange={() => change({ subject: each })}
            />
            <span>{SUBJECTS[each]}</span>
          </label>
        ))}
      </fieldset>
      <fieldset className={styles.engines}>
        <legend>Model</legend>
        <label>
          <input
            type="radio"
            className="unseen-input"
            name="engine"
            checked={engine === 'auto'}
            onChange={() => change({ engine: 'auto' })}
          />
          <span>
            <strong>Best available</strong>
            <small>No download needed. The server says which model it uses before anything is sent.</small>
          </span>
        </label>
        {ENGINES.map((each) => (
          <ModelChoice
            key={each.id}
            engine={each}
            isChosen={each.id === engine}
            lack={lackOf(fitOf(each))}
            stored={stored}
            onChoose={() => change({ engine: each.id })}
          />
        ))}
      </fieldset>
      {isOther && (
        <button type="button" className="button" disabled={work.isRunning} onClick={takeOver}>
          {work.items.some(({ state }) => state.phase === 'done') ? 'Apply and run again' : 'Apply'}
        </button>
      )}
    </details>
  );
}

interface ModelChoiceProps {
  readonly engine: Engine;
  readonly isChosen: boolean;
  /** Why the model cannot run here; undefined where it can. */
  readonly lack: ReturnType<typeof lackOf>;
  readonly stored: StoredWeights | undefined;
  readonly onChoose: () => void;
}

/** One model of the list, with what it needs. One that cannot run here says why, and cannot be chosen. */
function ModelChoice({ engine, isChosen, lack, stored, onChoose }: ModelChoiceProps) {
  const { name, finds, card } = engine;
  const isExcluded = lack !== undefined && !lack.mayRetry;
  return (
    <label>
      <input
        type="radio"
        className="unseen-input"
        name="engine"
        checked={isChosen}
        disabled={isExcluded}
        onChange={onChoose}
      />
      <span>
        <strong>{name}</strong>
        <span className="facts">{isExcluded ? 'not on this device' : describeStorage(card, stored)}</span>
        {lack && <small>{lack.reason}</small>}
        <small>
          {finds === 'people' && 'People only. '}
          {card.licence.name}
          {card.licence.consequence && `. ${card.licence.consequence}`}
        </small>
      </span>
    </label>
  );
}
