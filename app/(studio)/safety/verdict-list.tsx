import styles from './safety.module.css';
import { SeveritySteps } from './severity-steps.tsx';
import { CATEGORY_WORDS, type Severities, SHOWN, type Threshold, verdictWords } from './verdict.ts';

interface VerdictListProps {
  /** Name of the image. */
  readonly name: string;
  readonly severities: Severities;
  readonly threshold: Threshold;
}

/** Shows the verdict, and the severity of each category in words beside three steps. */
export function VerdictList({ name, severities, threshold }: VerdictListProps) {
  const words = verdictWords(severities, threshold);
  return (
    <section className={styles.verdict} aria-label={`Verdict on ${name}`}>
      <p role="status" className={styles.words} data-flagged={words === 'Flagged'}>
        {words}
      </p>
      <dl>
        {SHOWN.map((category) => {
          const severity = severities.get(category);
          return (
            <div key={category} data-flagged={severity !== undefined && severity >= threshold}>
              <dt>{CATEGORY_WORDS[category]}</dt>
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
