import styles from './safety.module.css';
import {
  CATEGORY_WORDS,
  SEVERITY_WORDS,
  type Severities,
  SHOWN,
  type Threshold,
  verdictWords,
} from './verdict.ts';

interface VerdictListProps {
  /** Name of the image. */
  readonly name: string;
  readonly severities: Severities;
  readonly threshold: Threshold;
}

const STEPS: readonly Threshold[] = [2, 4, 6];

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
                {severity === undefined ? (
                  <span className={styles.missing}>not checked</span>
                ) : (
                  <>
                    <span className={styles.steps} aria-hidden="true">
                      {STEPS.map((step) => (
                        <i key={step} data-reached={severity >= step} data-threshold={step === threshold} />
                      ))}
                    </span>
                    {SEVERITY_WORDS[severity]} <span className="facts">{severity}</span>
                  </>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
