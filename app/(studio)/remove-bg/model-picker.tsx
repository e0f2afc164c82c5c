'use client';

import { useState } from 'react';
import { describeStorage, useStoredWeights } from '../device/stored-weights.ts';
import choices from '../frame/choice-field.module.css';
import type { ParamValues } from '../frame/fields.ts';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { ENGINES } from './engines.ts';
import styles from './model-picker.module.css';

const SUBJECTS = { all: 'All subjects', primary: 'The largest' } as const;

/**
 * Chooses how the subject is found. A change needs a new run and drops results, so it waits for a click: arrow keys
 * pass through every choice.
 */
export function ModelPicker({ work }: { readonly work: FileRuns }) {
  const [pending, setPending] = useState<ParamValues>({});
  const { engine, subject } = { ...work.values, ...pending };
  const stored = useStoredWeights();
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
            <small>No download needed. The server uses the best model of all.</small>
          </span>
        </label>
        {ENGINES.map(({ id, name, finds, card }) => (
          <label key={id}>
            <input
              type="radio"
              className="unseen-input"
              name="engine"
              checked={id === engine}
              onChange={() => change({ engine: id })}
            />
            <span>
              <strong>{name}</strong>
              <span className="facts">{describeStorage(card, stored)}</span>
              <small>
                {finds === 'people' && 'People only. '}
                {card.licence.name}
                {card.licence.consequence && `. ${card.licence.consequence}`}
              </small>
            </span>
          </label>
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
