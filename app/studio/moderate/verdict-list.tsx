import styles from './moderate.module.css';
import { SeveritySteps } from './severity-steps.tsx';
import {
  CATEGORY_NAMES,
  describeChecked,
  describeUnchecked,
  describeVerdict,
  isFlagged,
  isPartial,
  type Severities,
  SHOWN_CATEGORIES,
  type Threshold,
} from './verdict.ts';

interface VerdictListProps {
  /** Name of the image. */
  readonly name: string;
  readonly severities: Severities;
  readonly threshold: Threshold;
}

/** Shows the verdict, and the severity of each category in words beside three steps. */
export function VerdictList({ name, severities, threshold }: VerdictListProps) {
  const isIncomplete = isPartial(severities, threshold);
  return (
    <section className={styles.verdict} aria-label={`Verdict on ${name}`}>
      <div>
        <p role="status" className={styles.words} data-flagged={isFlagged(severities, threshold)}>
          {isIncomplete ? describeChecked(severities) : describeVerdict(severities, threshold)}
        </p>
        {isIncomplete && <p className={styles.unchecked}>{describeUnchecked(severities)}</p>}
      </div>
      <dl>
        {SHOWN_CATEGORIES.map((category) => {
          const severity = severities.get(category);
          return (
            <div key={category} data-flagged={severity !== undefined && severity >= threshold}>
              <dt>{CATEGORY_NAMES[category]}</dt>
              <dd>
                <SeveritySteps severity={severity} threshold={threshold} />
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
