'use client';

import type { View } from './cutout-view.tsx';
import styles from './view-choice.module.css';

const VIEWS: readonly (readonly [view: View, label: string])[] = [
  ['result', 'Result'],
  ['compare', 'Compare'],
  ['edges', 'Edges'],
  ['brush', 'Brush'],
];

interface ViewChoiceProps {
  readonly view: View;
  readonly onView: (view: View) => void;
}

/** Ways of looking at a cutout. */
export function ViewChoice({ view, onView }: ViewChoiceProps) {
  return (
    <fieldset className={styles.views}>
      <legend className="heard-only">View</legend>
      {VIEWS.map(([each, label]) => (
        <label key={each}>
          <input
            type="radio"
            className="unseen-input"
            name="view"
            checked={view === each}
            onChange={() => onView(each)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
