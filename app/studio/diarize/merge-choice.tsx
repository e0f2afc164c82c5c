'use client';

import { useState } from 'react';
import styles from './diarize.module.css';
import type { Speaker } from './timeline.ts';

interface MergeChoiceProps {
  readonly name: string;
  /** At least one. */
  readonly others: readonly Speaker[];
  readonly onMerge: (into: number) => void;
}

/** Choice of another speaker, and a button that merges: arrow keys alone must change nothing. */
export function MergeChoice({ name, others, onMerge }: MergeChoiceProps) {
  const [chosen, setChosen] = useState<number>();
  const into = others.find(({ id }) => id === chosen) ?? others[0];
  return (
    <div className={styles.merge}>
      <label>
        <span>Same person as</span>
        <select
          value={into?.id}
          aria-label={`Same person as ${name}`}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        >
          {others.map((other) => (
            <option key={other.id} value={other.id}>
              {other.name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="button" onClick={() => into && onMerge(into.id)}>
        Merge
      </button>
    </div>
  );
}
