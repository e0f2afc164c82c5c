'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { parseJson } from '../../../models/core/operation/json.ts';
import {
  deletePreset,
  getPreset,
  listPresets,
  type Preset,
  savePreset,
} from '../../studio/recipes/saved-recipes.ts';
import { formatMoment } from '../../ui/dates.ts';
import { formatCount } from '../../ui/quantities.ts';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { usePermitted } from '../parts/permissions.tsx';
import { Problem } from '../parts/problem.tsx';
import own from './presets.module.css';

const KEY = ['presets'];

/** Saved recipes of the account: their versions can be read, and the newest one edited as JSON. */
export function Presets() {
  const { data: presets, error } = useQuery({ queryKey: KEY, queryFn: listPresets });
  const [openName, setOpenName] = useState<string>();
  const opened = presets?.find(({ name }) => name === openName);
  if (error) return <p role="alert">{error.message}</p>;
  if (!presets) return null;
  if (presets.length === 0) return <p className={styles.muted}>No recipes yet.</p>;
  return (
    <>
      <ul className={styles.list}>
        {presets.map(({ name, version, steps, updated_at }) => (
          <li key={name}>
            <div className={styles.line}>
              <p>
                <b>{name}</b>{' '}
                <span className="note">
                  version {version} · {formatCount(steps.length, 'step')} · {formatMoment(updated_at)}
                </span>
              </p>
              <button
                type="button"
                className="button"
                aria-expanded={name === openName}
                onClick={() => setOpenName(name === openName ? undefined : name)}
              >
                {name === openName ? 'Close' : `Open ${name}`}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {opened && <PresetEditor key={opened.name} preset={opened} onDeleted={() => setOpenName(undefined)} />}
    </>
  );
}

interface PresetEditorProps {
  readonly preset: Preset;
  readonly onDeleted: () => void;
}

function PresetEditor({ preset: newest, onDeleted }: PresetEditorProps) {
  const { name } = newest;
  const mayChange = usePermitted('keys.change');
  const [version, setVersion] = useState(newest.version);
  const { data: preset = newest } = useQuery({
    queryKey: [...KEY, name, version],
    queryFn: () => (version === newest.version ? newest : getPreset(`${name}@${version}`)),
  });
  const field = useRef<HTMLTextAreaElement>(null);
  const save = useMutation({
    mutationFn: (text: string) => savePreset(name, parseJson(text)),
    onSuccess: (saved) => setVersion(saved.version),
  });
  const remove = useMutation({ mutationFn: () => deletePreset(name), onSuccess: onDeleted });
  const json = JSON.stringify({ steps: preset.steps, outputs: preset.outputs }, null, 2);
  return (
    <section aria-labelledby="preset" className={own.editor}>
      <h2 id="preset">{name}</h2>
      <label className={formStyles.field}>
        <span>Version</span>
        <input
          className={formStyles.input}
          type="number"
          min={1}
          max={newest.version}
          value={version}
          onChange={({ currentTarget: { valueAsNumber: typed } }) => {
            if (typed >= 1 && typed <= newest.version) setVersion(typed);
          }}
        />
      </label>
      <label className={formStyles.field}>
        <span>Steps and outputs</span>
        <textarea
          ref={field}
          key={`${preset.version} ${json}`}
          className={own.json}
          rows={20}
          spellCheck={false}
          readOnly={!mayChange}
          defaultValue={json}
        />
      </label>
      {mayChange && (
        <div className={styles.actions}>
          <button
            type="button"
            className="button"
            disabled={save.isPending}
            onClick={() => save.mutate(field.current?.value ?? '')}
          >
            Save as version {newest.version + 1}
          </button>
          <button
            type="button"
            className="button"
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Delete {name}
          </button>
          <span role="status">{save.isSuccess && `Saved as version ${save.data.version}.`}</span>
        </div>
      )}
      <Problem error={save.error ?? remove.error} />
    </section>
  );
}
