import type { ReactNode } from 'react';
import styles from './stage-well.module.css';

/** Box of the image, whose content is zoomed and panned with the stage. Outside a stage it fills its place. */
export function StagePlane({ children }: { readonly children: ReactNode }) {
  return <div className={styles.plane}>{children}</div>;
}
