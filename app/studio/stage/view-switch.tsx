'use client';

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
