import styles from './progress-line.module.css';

interface ProgressLineProps {
  /** 0 to 1 */
  readonly fraction: number;
  readonly label: string;
}

/** The thin red line that really is the progress. */
export function ProgressLine({ fraction, label }: ProgressLineProps) {
  return <progress className={styles.line} value={fraction} max={1} aria-label={label} />;
}
