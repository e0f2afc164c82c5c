'use client';

import { ChevronUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import styles from './settings-panel.module.css';

interface SettingsPanelProps {
  /** Settings in a few words, for the closed sheet. */
  readonly summary: string;
  readonly form: ReactNode;
  /** Content that stays visible: the primary action. */
  readonly children: ReactNode;
}

/** Column beside the stage; on a phone, a sheet at the lower edge that opens. */
export function SettingsPanel({ summary, form, children }: SettingsPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <aside className={styles.panel} aria-label="Settings" data-open={isOpen}>
      <button
        type="button"
        className={styles.handle}
        aria-expanded={isOpen}
        aria-controls="settings"
        onClick={() => setIsOpen(!isOpen)}
      >
        <span>{summary}</span>
        <ChevronUp size={20} strokeWidth={1.5} aria-hidden />
      </button>
      <div id="settings" className={styles.form}>
        {form}
      </div>
      {children}
    </aside>
  );
}
