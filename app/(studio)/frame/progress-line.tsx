import styles from './progress-line.module.css';

interface ProgressLineProps {
  /** 0 to 1 */
  readonly fraction: number;
  readonly label: string;
  /** How far it is, where that says more than the fraction. */
  readonly words?: string | undefined;
}

/** The thin red line that really is the progress. */
export function ProgressLine({ fraction, label, words }: ProgressLineProps) {
  return (
    <progress className={styles.line} value={fraction} max={1} aria-label={label} aria-valuetext={words} />
  );
}
