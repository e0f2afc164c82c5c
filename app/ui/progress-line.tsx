import styles from './progress-line.module.css';

interface ProgressLineProps {
  /** 0 to 1 */
  readonly fraction: number;
  readonly label: string;
  /** Progress in words, where they say more than the fraction. */
  readonly words?: string | undefined;
}

/** Thin red line that shows the true progress. */
export function ProgressLine({ fraction, label, words }: ProgressLineProps) {
  return (
    <progress className={styles.line} value={fraction} max={1} aria-label={label} aria-valuetext={words} />
  );
}
