'use client';

import { listOutputs } from '../../../models/pipeline/recipes.ts';
import { FoldedForm, ParamsForm } from '../form/params-form.tsx';
import { changedFields, type Field, initialValues, type ParamValues } from '../tools/fields.ts';
import { getRelevantValues, type Wording } from '../tools/wording.ts';
import { changeStep, type Draft, type DraftStep, getTool, listSources, setOutput } from './draft.ts';
import styles from './recipes.module.css';
import { wordFields } from './step-wording.ts';

/** Form of a tool, read from its operation's schema. */
export interface StepFormCard {
  readonly fields: readonly Field[];
  /** Fields without a default. */
  readonly required: readonly string[];
  /** Names of the operation's models, by their ids. */
  readonly engines: Readonly<Record<string, string>>;
}

/** Forms by the short names of the operations. */
export type StepForms = Readonly<Record<string, StepFormCard>>;

interface StepFormProps {
  readonly draft: Draft;
  readonly step: DraftStep;
  readonly forms: StepForms;
  /** Files that a step has given, by step: of several, a step reads one. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly onDraft: (draft: Draft) => void;
}

const NO_FORM: StepFormCard = { fields: [], required: [], engines: {} };
const ID = '[a-z][a-z0-9-]{0,31}';

/** Settings of one step: its name, its source, and the fields of its tool. */
export function StepForm({ draft, step, forms, files, onDraft }: StepFormProps) {
  const card = forms[step.operation] ?? NO_FORM;
  const { main, more, wording } = wordFields(step.operation, card.fields, card.engines);
  const values = { ...initialValues(card.fields), ...(step.params as ParamValues) };
  const change = (changes: Partial<DraftStep>) => onDraft(changeStep(draft, step.id, changes));
  const form = {
    wording,
    values,
    disabled: false,
    onChange: (next: ParamValues) => change({ params: getParams(card, wording, next, step) }),
  };
  return (
    <div key={`${step.id} ${step.operation}`} className={styles.form}>
      <label className={styles.row}>
        <span>Name of the step</span>
        <input
          defaultValue={step.id}
          pattern={ID}
          title="Letters a to z, 0 to 9 and -. It begins with a letter."
          onBlur={({ currentTarget }) => {
            const id = currentTarget.value;
            const isTaken = id === 'input' || draft.steps.some((each) => each !== step && each.id === id);
            if (id === step.id) return;
            if (currentTarget.validity.valid && id && !isTaken) change({ id });
            else currentTarget.value = step.id;
          }}
        />
      </label>
      <label className={styles.row}>
        <span>Reads</span>
        <select value={step.from} onChange={(event) => change({ from: event.currentTarget.value })}>
          {listSourceFiles(draft, step, files).map((source) => (
            <option key={source} value={source}>
              {source === 'input' ? 'the file' : source}
            </option>
          ))}
        </select>
      </label>
      {step.operation === 'moderate' ? (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={step.stop_if_flagged === true}
            onChange={(event) => change({ stop_if_flagged: event.currentTarget.checked || undefined })}
          />
          <span>Stop here if the image is flagged</span>
        </label>
      ) : (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={listOutputs(draft).includes(step.id)}
            onChange={(event) => onDraft(setOutput(draft, step.id, event.currentTarget.checked))}
          />
          <span>Keep its files</span>
        </label>
      )}
      <ParamsForm name={`Settings of ${getTool(step).name}`} fields={main} {...form} />
      <FoldedForm title="More" fields={more} {...form} />
    </div>
  );
}

function listSourceFiles(draft: Draft, step: DraftStep, files: StepFormProps['files']): readonly string[] {
  const sources = listSources(draft, step.id).flatMap((id) => {
    const names = files.get(id) ?? [];
    return names.length > 1 ? names.map((name) => `${id}/${name}`) : [id];
  });
  return sources.includes(step.from) ? sources : [...sources, step.from];
}

/** Returns the params of a step: what has an effect and is not usual. Those without a control stay. */
function getParams(
  { fields, required }: StepFormCard,
  wording: Pick<Wording, 'fields'>,
  values: ParamValues,
  step: DraftStep,
): DraftStep['params'] {
  const relevant = getRelevantValues(fields, wording, values);
  const kept = new Set([...changedFields(fields, relevant).map(({ name }) => name), ...required]);
  const own = Object.entries(relevant).filter(([name, value]) => kept.has(name) && value !== undefined);
  const objects = fields.flatMap(({ kind, name }) => (kind === 'object' ? [name] : []));
  const others = Object.entries(step.params).filter(([name]) => objects.includes(name));
  return Object.fromEntries([...own, ...others]);
}
