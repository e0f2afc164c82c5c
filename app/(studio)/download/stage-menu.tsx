'use client';

import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMenu } from '../../ui/use-menu.ts';
import styles from './stage-menu.module.css';

/** Menu of buttons that opens over the stage. */
export function StageMenu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const { menu, onToggle } = useMenu();
  return (
    <details ref={menu} className={styles.menu} onToggle={onToggle}>
      <summary className="button">
        {label} <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
      </summary>
      <div className={styles.tools}>{children}</div>
    </details>
  );
}
