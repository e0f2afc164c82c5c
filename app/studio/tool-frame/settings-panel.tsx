'use client';

import type { CSSProperties, ReactNode, Ref } from 'react';
import styles from './settings-panel.module.css';
import type { SheetStop } from './sheet-stops.ts';
import { useSheet } from './use-sheet.ts';

interface SettingsPanelProps {
  /** Settings in a few words, for the sheet while there is no action. */
  readonly summary: ReactNode;
  readonly form: ReactNode;
  /** Slot at the end of the settings, for what a phone shows there. */
  readonly foot: Ref<HTMLDivElement>;
  /** Primary action, pinned below the settings; null while there is nothing to act on. */
  readonly action: ReactNode;
}

const HEIGHTS: Readonly<Record<SheetStop, string>> = { low: 'lowest', half: 'half', full: 'full' };

/** Column beside the stage with its own scroll; on a phone, a sheet at the lower edge with three heights. */
export function SettingsPanel({ summary, form, foot, action }: SettingsPanelProps) {
  const { stop, heightPx, handle } = useSheet(action ? 'half' : 'low');
  const height = heightPx === null ? undefined : ({ '--sheet': `${heightPx}px` } as CSSProperties);
  return (
    <aside
      className={styles.panel}
      aria-label="Settings"
      data-stop={heightPx === null ? stop : 'dragged'}
      style={height}
    >
      <button
        type="button"
        className={styles.handle}
        aria-label={`Settings: ${HEIGHTS[stop]} height`}
        {...handle}
      />
      <div className={styles.settings}>
        {form}
        <div ref={foot} className={styles.foot} />
      </div>
      <div className={styles.action}>{action ?? <p className={styles.summary}>{summary}</p>}</div>
    </aside>
  );
}
