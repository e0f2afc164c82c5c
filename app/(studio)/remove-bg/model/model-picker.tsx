'use client';

import { useState } from 'react';
import { fitModel, type RunFit } from '../../../../models/device/fit.ts';
import { describeStorage, useStoredWeights } from '../../device/stored-weights.ts';
import { useDevice } from '../../device/use-device.ts';
import { unfitReason } from '../../fit/describe-fit.ts';
import choices from '../../form/choice-field.module.css';
import { ModelList } from '../../form/model-list.tsx';
import type { ParamValues } from '../../params/fields.ts';
import type { FileRuns } from '../../runs/use-file-runs.ts';
import { ENGINES, type Engine } from './engines.ts';
import styles from './model-picker.module.css';

interface ModelPickerProps {
  readonly runs: FileRuns;
  /** Places where the selected file can run, with each model; undefined without a file, or until they are known. */
  readonly fit: RunFit | undefined;
}

const SUBJECTS = { all: 'All subjects', primary: 'The largest' } as const;

const BEST = {
  id: 'auto',
  name: 'Best available',
  notes: ['No download needed. The server says which model it uses before anything is sent.'],
};

/**
 * Lets the visitor choose the model and its subjects. A change needs a new run, so it waits for a click: arrow keys pass
 * through every choice. Results stay until the new ones are there.
 */
export function ModelPicker({ runs, fit }: ModelPickerProps) {
  const [pending, setPending] = useState<ParamValues>({});
  const { engine, subject } = { ...runs.values, ...pending };
  const stored = useStoredWeights();
  const device = useDevice();
  const fitOf = ({ id, card }: Engine) => fit?.engines.get(id) ?? (device && fitModel(card, device));
  const chosen = ENGINES.find(({ id }) => id === engine);
  const isOther = engine !== runs.values.engine || subject !== runs.values.subject;
  const change = (changed: ParamValues) => {
    if (runs.items.length > 0) setPending({ ...pending, ...changed });
    else runs.applyAndStart({ ...runs.values, ...changed });
  };
  const takeOver = () => {
    setPending({});
    runs.applyAndStart({ ...runs.values, ...pending });
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
        <legend className="sr-only">Keep</legend>
        {(['all', 'primary'] as const).map((each) => (
          <label key={each} className={choices.choice}>
            <input
              type="radio"
              className="visually-hidden"
              name="subject"
              checked={subject === each}
              onChange={() => change({ subject: each })}
            />
            <span>{SUBJECTS[each]}</span>
          </label>
        ))}
      </fieldset>
      <ModelList
        name="engine"
        models={[
          BEST,
          ...ENGINES.map((each) => ({
            ...each,
            storage: describeStorage([each.card], stored),
            lack: unfitReason(fitOf(each)),
            notes: [noteOf(each)],
          })),
        ]}
        value={String(engine)}
        onChoose={(chosen) => change({ engine: chosen })}
      />
      {isOther && (
        <button type="button" className="button" disabled={runs.isRunning} onClick={takeOver}>
          {runs.items.some(({ state }) => state.phase === 'done') ? 'Apply and run again' : 'Apply'}
        </button>
      )}
    </details>
  );
}

function noteOf({ finds, card: { licence } }: Engine): string {
  const people = finds === 'people' ? 'People only. ' : '';
  return `${people}${licence.name}${licence.consequence ? `. ${licence.consequence}` : ''}`;
}
