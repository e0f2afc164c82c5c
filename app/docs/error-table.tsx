import { problemOf } from '../../models/errors.ts';
import { FAULTS, type Fault } from '../../server/http/faults.ts';
import styles from './docs.module.css';

/** Statuses of failed requests and what they mean. */
export function ErrorTable() {
  return (
    <section className={styles.part} aria-labelledby="errors">
      <div>
        <h2 id="errors">Errors</h2>
        <p>
          An error is <code>{'{"error", "message"}'}</code>: its short title, and a message that names the
          field and what is allowed.
        </p>
      </div>
      <dl className={styles.fields}>
        {meanings().map(({ status, title, texts }) => (
          <div key={status}>
            <dt>
              <code>{status}</code>
              <span>{title}</span>
            </dt>
            <dd>{texts.join(' ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface StatusMeaning {
  readonly status: number;
  readonly title: string;
  readonly texts: readonly string[];
}

/** Lists the faults by their HTTP status. */
function meanings(): readonly StatusMeaning[] {
  const found = new Map<number, StatusMeaning>();
  for (const fault of Object.keys(FAULTS) as Fault[]) {
    const { status, title } = problemOf(fault);
    found.set(status, { status, title, texts: [...(found.get(status)?.texts ?? []), FAULTS[fault]] });
  }
  return [...found.values()].sort((one, other) => one.status - other.status);
}
