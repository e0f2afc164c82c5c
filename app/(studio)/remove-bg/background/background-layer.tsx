'use client';

import type { ReactNode } from 'react';
import type { BackgroundView } from './use-background-view.ts';
import styles from './view-layers.module.css';

/** Shows a checkerboard where the cutout has no background. */
export function BackgroundLayer({
  background,
  children,
}: {
  readonly background: BackgroundView;
  readonly children: ReactNode;
}) {
  return (
    <div
      className={styles.layers}
      data-transparent={background === 'nothing'}
      style={typeof background === 'string' ? undefined : background}
    >
      {children}
    </div>
  );
}
