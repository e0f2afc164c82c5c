'use client';

import form from '../frame/params-form.module.css';
import type { Work } from '../frame/use-work.ts';
import { ENGINES, OWN_ENGINE } from './engines.ts';
import styles from './finding-choice.module.css';

const SUBJECTS = { all: 'All subjects', primary: 'The largest' } as const;

/** How the subject is found: what needs a new run, and is rarely changed. */
export function FindingChoice({ work }: { readonly work: Work }) {
  const { engine, subject } = work.values;
  const chosen = ENGINES.find(({ id }) => id === engine);
  const change = (changed: object) => work.changeAndStart({ ...work.values, ...changed });
  return (
    <details className={styles.finding}>
      <summary>
        <span>Subject</span>
        <span className="facts">
          {subject === 'primary' ? 'largest' : 'all'} · {chosen?.name ?? 'the best at hand'}
        </span>
      </summary>
      <fieldset className={styles.subjects} disabled={work.isRunning}>
        <legend className="heard-only">Keep</legend>
        {(['all', 'primary'] as const).map((each) => (
          <label key={each} className={form.choice}>
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
      <fieldset className={styles.engines} disabled={work.isRunning}>
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
        {ENGINES.map(({ id, name, size, finds, licence }) => (
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
              <span className="facts">
                {size}, {id === OWN_ENGINE ? 'comes with the page' : 'downloaded once'}
              </span>
              <small>
                {finds === 'people' && 'People only. '}
                {licence.name}
                {licence.consequence && `. ${licence.consequence}`}
              </small>
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
