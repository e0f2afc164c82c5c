'use client';

import { useState } from 'react';
import choices from '../frame/choice-field.module.css';
import type { ParamValues } from '../frame/fields.ts';
import type { Work } from '../frame/use-work.ts';
import { storageWords, useStoredWeights } from '../stored-weights.ts';
import { ENGINES } from './engines.ts';
import styles from './finding-choice.module.css';

const SUBJECTS = { all: 'All subjects', primary: 'The largest' } as const;

/**
 * How the subject is found: what needs a new run, and is rarely changed. Results are dropped for it, and networks loaded,
 * so it waits for a click: arrow keys pass through every choice on their way.
 */
export function FindingChoice({ work }: { readonly work: Work }) {
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
          {subject === 'primary' ? 'largest' : 'all'} · {chosen?.name ?? 'the best at hand'}
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
        <legend>Found by the network</legend>
        <label>
          <input
            type="radio"
            className="unseen-input"
            name="engine"
            checked={engine === 'auto'}
            onChange={() => change({ engine: 'auto' })}
          />
          <span>
            <strong>The best at hand</strong>
            <small>Nothing is downloaded here for it. On the server it is the best of all.</small>
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
              <span className="facts">{storageWords(card, stored)}</span>
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
          {work.items.some(({ state }) => state.phase === 'done') ? 'Apply and cut out again' : 'Apply'}
        </button>
      )}
    </details>
  );
}
