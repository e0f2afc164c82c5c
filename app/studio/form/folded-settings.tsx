import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './folded-form.module.css';

interface FoldedSettingsProps {
  readonly title: string;
  /** Few words on the current choice; hidden while the section is open. */
  readonly summary: string | undefined;
  readonly children: ReactNode;
}

/** Section of settings that is closed at first, and says what is chosen in it. */
export function FoldedSettings({ title, summary, children }: FoldedSettingsProps) {
  return (
    <details className={styles.folded}>
      <summary>
        <span>{title}</span>
        <span className={styles.changed}>{summary}</span>
        <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
      </summary>
      {children}
    </details>
  );
}
