'use client';

import type { View } from './cutout-view.tsx';
import styles from './view-choice.module.css';

const LABELS: Readonly<Record<View, string>> = {
  result: 'Result',
  compare: 'Compare',
  edges: 'Edges',
  brush: 'Brush',
};

interface ViewChoiceProps<Each extends View> {
  readonly views: readonly Each[];
  readonly view: Each;
  readonly onView: (view: Each) => void;
}

/** Chooses the view mode of a cutout. */
export function ViewChoice<Each extends View>({ views, view, onView }: ViewChoiceProps<Each>) {
  return (
    <fieldset className={styles.views}>
      <legend className="heard-only">View</legend>
      {views.map((each) => (
        <label key={each}>
          <input
            type="radio"
            className="unseen-input"
            name="view"
            checked={view === each}
            onChange={() => onView(each)}
          />
          <span>{LABELS[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}
