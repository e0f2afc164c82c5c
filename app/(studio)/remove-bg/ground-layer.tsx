'use client';

import type { ReactNode } from 'react';
import styles from './cutout-view.module.css';
import type { Ground } from './use-ground.ts';

/** A chequered ground where nothing stands behind the cutout. */
export function GroundLayer({ behind, children }: { readonly behind: Ground; readonly children: ReactNode }) {
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
