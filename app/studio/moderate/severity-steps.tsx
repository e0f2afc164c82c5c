import type { Severity } from '../../../models/moderation/categories.ts';
import styles from './severity-steps.module.css';
import { SEVERITY_NAMES, type Threshold } from './verdict.ts';

interface SeverityStepsProps {
  /** Undefined for a category that was not analysed. */
  readonly severity: Severity | undefined;
  readonly threshold: Threshold;
}

const STEPS: readonly Threshold[] = [2, 4, 6];

/** Shows a severity as three steps, with the threshold as a line before one of them, next to its word and number. */
export function SeveritySteps({ severity, threshold }: SeverityStepsProps) {
  if (severity === undefined) return <span className={styles.missing}>not checked</span>;
  return (
    <span className={styles.severity} data-flagged={severity >= threshold}>
      <span className={styles.steps} aria-hidden="true">
        {STEPS.map((step) => (
          <i key={step} data-reached={severity >= step} data-threshold={step === threshold} />
        ))}
      </span>
      {SEVERITY_NAMES[severity]} <span className="facts">{severity}</span>
    </span>
  );
}
