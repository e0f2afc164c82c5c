'use client';

import { useState } from 'react';
import choices from '../form/choice-field.module.css';
import { ChoiceRow } from '../form/choice-row.tsx';
import { FoldedSettings } from '../form/folded-settings.tsx';
import { ModelPicker } from '../form/model-picker.tsx';
import {
  useRunActions,
  useRunFiles,
  useRunOutline,
  useRunPlaces,
  useRunSettings,
} from '../runs/runs-context.ts';
import type { ParamValues } from '../tools/fields.ts';
import { ENGINES, getModel } from './engines.ts';
import styles from './subject-settings.module.css';

const SUBJECTS = { all: 'All subjects', primary: 'The largest' } as const;

const BEST = {
  id: 'auto',
  name: 'Best available',
  notes: [],
};

/**
 * Lets the visitor choose the model and its subjects. A change needs a new run, so it waits for a click: arrow keys
 * pass through every choice. Results stay until the new ones are there.
 */
export function SubjectSettings() {
  const { values } = useRunSettings();
  const { count, selected } = useRunOutline();
  const fit = useRunPlaces().fits.get(selected?.id ?? Number.NaN);
  const { change: apply } = useRunActions();
  const [pending, setPending] = useState<ParamValues>({});
  const { engine, subject } = { ...values, ...pending };
  const chosen = ENGINES.find(({ id }) => id === engine);
  const isOther = engine !== values.engine || subject !== values.subject;
  const change = (changed: ParamValues) => {
    if (count > 0) setPending({ ...pending, ...changed });
    else apply(changed);
  };
  const applyPending = () => {
    setPending({});
    apply(pending);
  };
  return (
    <FoldedSettings
      title="Subject and model"
      summary={`${subject === 'primary' ? 'largest' : 'all'} · ${chosen?.name ?? 'best available'}`}
    >
      <div className={styles.finding}>
        <ChoiceRow<string>
          label="Keep"
          name="subject"
          choices={SUBJECTS}
          value={String(subject)}
          className={styles.subjects}
          choiceClassName={choices.choice}
          onChoose={(next) => change({ subject: next })}
        />
        <ModelPicker
          name="engine"
          models={[BEST, ...ENGINES.map((each) => getModel(each, fit))]}
          value={String(engine)}
          isFolded={false}
          onChoose={(next) => change({ engine: next })}
        />
        {isOther && <ApplyButton onApply={applyPending} />}
      </div>
    </FoldedSettings>
  );
}

function ApplyButton({ onApply }: { readonly onApply: () => void }) {
  const { items } = useRunFiles();
  const { isRunning } = useRunOutline();
  return (
    <button type="button" className="button" disabled={isRunning} onClick={onApply}>
      {items.some(({ state }) => state.phase === 'done') ? 'Apply and run again' : 'Apply'}
    </button>
  );
}
