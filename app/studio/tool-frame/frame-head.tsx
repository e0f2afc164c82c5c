'use client';

import { Keyboard } from 'lucide-react';
import type { Ref } from 'react';
import { openShortcuts } from '../shortcuts/shortcuts-dialog.tsx';
import styles from './frame-head.module.css';

interface FrameHeadProps {
  /** Name of the tool. */
  readonly title: string;
  /** One sentence about it. */
  readonly lead: string;
  /** Slot of the view switch. */
  readonly views: Ref<HTMLDivElement>;
}

/** Title of the tool and one sentence; on the right the views of the stage. */
export function FrameHead({ title, lead, views }: FrameHeadProps) {
  return (
    <header className={styles.head}>
      <h1>{title}</h1>
      <p>{lead}</p>
      <div ref={views} className={styles.views} />
      <button
        type="button"
        className={`button-icon ${styles.keys}`}
        aria-label="Keyboard shortcuts"
        aria-haspopup="dialog"
        onClick={openShortcuts}
      >
        <Keyboard size={20} strokeWidth={1.5} aria-hidden />
      </button>
    </header>
  );
}
