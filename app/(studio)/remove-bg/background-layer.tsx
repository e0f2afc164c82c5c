'use client';

import type { ReactNode } from 'react';
import styles from './cutout-view.module.css';
import type { BackgroundView } from './use-background-view.ts';

/** Shows a checkerboard where the cutout has no background. */
export function BackgroundLayer({
  behind,
  children,
}: {
  readonly behind: BackgroundView;
  readonly children: ReactNode;
}) {
  return (
    <div
      className={styles.ground}
      data-transparent={behind === 'nothing'}
      style={typeof behind === 'string' ? undefined : behind}
    >
      {children}
    </div>
  );
}
