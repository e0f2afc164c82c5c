'use client';

import { useState } from 'react';
import { getKeys } from '../../../models/core/records.ts';
import { ChoiceRow } from '../form/choice-row.tsx';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { SlotPortal } from './frame-slots.tsx';
import styles from './view-switch.module.css';

interface ViewSwitchProps<View extends string> {
  /** Labels of the views, in order. */
  readonly views: Readonly<Partial<Record<View, string>>>;
  readonly view: View;
  readonly onView: (view: View) => void;
}

/**
 * Keeps the view that the visitor chose of a result, or without one of the original.
 * @param initial shown until then, and of another result
 */
export function useChosenView<View extends string>(
  result: Blob | undefined,
  initial: View,
): [view: View, setView: (view: View) => void] {
  const [chosen, setChosen] = useState<{ readonly result: Blob | undefined; readonly view: View }>();
  const view = chosen && chosen.result === result ? chosen.view : initial;
  return [view, (next) => setChosen({ result, view: next })];
}

/** Chooses how the stage shows its content. It is in the head of the frame, in every tool. */
export function ViewSwitch<View extends string>({ views, view, onView }: ViewSwitchProps<View>) {
  const names = getKeys(views);
  const show = (steps: number) =>
    onView(names[(names.indexOf(view) + steps + names.length) % names.length] ?? view);
  useShortcuts('View', [
    { keys: ['V'], does: 'Show the next view', run: () => show(1) },
    { keys: ['Shift+V'], does: 'Show the previous view', run: () => show(-1) },
  ]);
  return (
    <SlotPortal name="views">
      <ChoiceRow
        label="View"
        name="view"
        choices={views}
        value={view}
        className={styles.views}
        onChoose={onView}
      />
    </SlotPortal>
  );
}
