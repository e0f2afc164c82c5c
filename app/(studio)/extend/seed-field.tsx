'use client';

import { Lock, LockOpen } from 'lucide-react';
import type { BatchItem } from '../batch/batch.ts';
import form from '../form/params-form.module.css';
import { type NumberField, readNumber } from '../params/fields.ts';
import type { FileRuns } from '../runs/use-file-runs.ts';
import styles from './extend.module.css';
import { seedsOf } from './settings.ts';
import type { PickedVariants } from './use-picked-variants.ts';

const SEEDS = 2 ** 32;
const FIELD: NumberField = {
  ...{ kind: 'number', name: 'seed', min: 0, max: SEEDS - 1, isInteger: true, isOptional: true },
  initial: undefined,
};

interface SeedFieldProps {
  readonly runs: FileRuns;
  readonly selected: BatchItem | undefined;
  readonly picked: PickedVariants;
}

/** Shows the seed. A locked one makes the same image again; an open one is another at each run. */
export function SeedField({ runs, selected, picked }: SeedFieldProps) {
  const { values, batch, isRunning } = runs;
  const seed = typeof values.seed === 'number' ? values.seed : undefined;
  const isLocked = seed !== undefined;
  const lock = () => {
    const at = selected ? picked.indexOf(selected) : 0;
    const made = selected && seedsOf(selected)[at];
    if (made === undefined || selected?.state.phase !== 'done') {
      return runs.applyAndStart({ ...values, seed: Math.floor(Math.random() * SEEDS) });
    }
    // Later variants have later seeds: a run from this one makes others.
    if (at > 0) return runs.applyAndStart({ ...values, seed: made });
    // The result is the one of this seed, so it stays current.
    const { state } = selected;
    batch.replace(selected.id, { ...state, madeWith: { ...state.madeWith, seed: made } });
    runs.applyValues({ ...values, seed: made });
  };
  const Icon = isLocked ? Lock : LockOpen;
  return (
    <fieldset className={form.field} disabled={isRunning}>
      <legend className="sr-only">Seed</legend>
      <div className={form.labelled}>
        <label className={form.label} htmlFor="seed">
          Seed
        </label>
        <span className={styles.seed}>
          <input
            id="seed"
            className={form.number}
            type="number"
            inputMode="numeric"
            min={FIELD.min}
            max={FIELD.max}
            placeholder="Random"
            key={seed}
            defaultValue={seed}
            aria-describedby="seed-means"
            onBlur={({ currentTarget }) => {
              const typed = readNumber(FIELD, currentTarget.valueAsNumber, seed);
              currentTarget.value = String(typed ?? '');
              if (typed !== seed) runs.applyAndStart({ ...values, seed: typed });
            }}
          />
          <button
            type="button"
            className="button"
            aria-pressed={isLocked}
            aria-label="Lock the seed"
            onClick={isLocked ? () => runs.applyAndStart({ ...values, seed: undefined }) : lock}
          >
            <Icon size={18} strokeWidth={1.5} aria-hidden />
          </button>
        </span>
      </div>
      <p id="seed-means" className={styles.note}>
        {isLocked ? 'The same seed gives the same image.' : 'Each run has another seed.'}
      </p>
    </fieldset>
  );
}
