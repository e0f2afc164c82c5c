'use client';

import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useMenu } from '../../ui/use-menu.ts';
import styles from './stage-menu.module.css';

/** Menu of buttons that opens over the stage, and closes once one of them is pressed. */
export function StageMenu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const { menu, onToggle } = useMenu();
  useEffect(() => {
    const details = menu.current;
    if (!details) return;
    const ending = new AbortController();
    const close = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.closest('button')) return;
      details.open = false;
      // What is not shown any more cannot have the focus.
      details.querySelector('summary')?.focus();
    };
    details.addEventListener('click', close, { signal: ending.signal });
    return () => ending.abort();
  }, [menu]);
  return (
    <details ref={menu} className={styles.menu} onToggle={onToggle}>
      <summary className="button">
        {label} <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
      </summary>
      <div className={styles.tools}>{children}</div>
    </details>
  );
}
