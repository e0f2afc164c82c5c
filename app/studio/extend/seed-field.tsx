'use client';

import { Lock, LockOpen } from 'lucide-react';
import { NumberInput } from '../form/number-field.tsx';
import form from '../form/params-form.module.css';
import { useRunActions, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import styles from './extend.module.css';
import { getSeeds } from './settings.ts';
import type { PickedVariants } from './use-picked-variants.ts';

const SEEDS = 2 ** 32;
const SEED = { min: 0, max: SEEDS - 1, isInteger: true, isOptional: true };

interface SeedFieldProps {
  readonly picked: PickedVariants;
}

/** Shows the seed. A locked one makes the same image again; an open one is another at each run. */
export function SeedField({ picked }: SeedFieldProps) {
  const { values } = useRunSettings();
  const { isRunning } = useRunOutline();
  const { change } = useRunActions();
  const lock = useSeedLock(picked);
  const seed = typeof values.seed === 'number' ? values.seed : undefined;
  const isLocked = seed !== undefined;
  const Icon = isLocked ? Lock : LockOpen;
  return (
    <fieldset className={form.field} disabled={isRunning}>
      <legend className="sr-only">Seed</legend>
      <div className={form.labelled}>
        <label className={form.label} htmlFor="seed">
          Seed
        </label>
        <span className={styles.seed}>
          <NumberInput
            id="seed"
            className={form.number}
            bounds={SEED}
            placeholder="Random"
            value={seed}
            aria-describedby="seed-means"
            onChange={(typed) => change({ seed: typed })}
          />
          <button
            type="button"
            className="button"
            aria-pressed={isLocked}
            aria-label="Lock the seed"
            onClick={isLocked ? () => change({ seed: undefined }) : lock}
          >
            <Icon size={18} strokeWidth={1.5} aria-hidden />
          </button>
        </span>
      </div>
      <p id="seed-means" className="note">
        {isLocked ? 'Repeats the same image.' : 'Another image each time.'}
      </p>
    </fieldset>
  );
}

/** Returns the action that locks the seed of the picked variant, or any seed where there is none. */
function useSeedLock(picked: PickedVariants): () => void {
  const { batch, selected: readSelected, change, applyValues } = useRunActions();
  const { values } = useRunSettings();
  return () => {
    const selected = readSelected();
    const at = selected ? picked.indexOf(selected) : 0;
    const made = selected && getSeeds(selected)[at];
    if (made === undefined || selected?.state.phase !== 'done') {
      return change({ seed: Math.floor(Math.random() * SEEDS) });
    }
    // Later variants have later seeds: a run from this one makes others.
    if (at > 0) return change({ seed: made });
    // The result is the one of this seed, so it stays current.
    const { state } = selected;
    batch.replace(selected.id, { ...state, resultParams: { ...state.resultParams, seed: made } });
    applyValues({ ...values, seed: made });
  };
}
