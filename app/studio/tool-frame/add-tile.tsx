'use client';

import { ChooseFiles } from '../files/choose-files.tsx';
import styles from './contact-sheet.module.css';

interface AddTileProps {
  readonly accept: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Last tile of the strip. */
export function AddTile(props: AddTileProps) {
  return <ChooseFiles {...props} className={styles.add} label="Add more" />;
}
