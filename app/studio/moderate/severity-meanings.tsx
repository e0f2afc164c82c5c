import { SEVERITIES } from '../../../models/moderation/categories.ts';
import styles from './moderate.module.css';
import { SEVERITY_MEANINGS, SEVERITY_NAMES } from './verdict.ts';

/** Explains the severities, and what they cannot say. */
export function SeverityMeanings() {
  return (
    <section className={styles.meanings} aria-labelledby="severity-meanings">
      <h2 id="severity-meanings">Severity</h2>
      <dl>
        {SEVERITIES.map((severity) => (
          <div key={severity}>
            <dt>
              <span className="facts">{severity}</span> {SEVERITY_NAMES[severity]}
            </dt>
            <dd>{SEVERITY_MEANINGS[severity]}</dd>
          </div>
        ))}
      </dl>
      <p>
        Staged or implied harm can be missed. A low severity says that none was seen, not that there is none.
      </p>
    </section>
  );
}
