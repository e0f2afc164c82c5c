import styles from './dashboard.module.css';
import { describeProblem } from './format.ts';

interface ProblemProps {
  readonly error: { readonly message: string } | null;
  /** Labels of the form, by the field of the call. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Says why a call failed. Takes no room before one has. */
export function Problem({ error, labels }: ProblemProps) {
  return (
    <p role="alert" className={styles.problem}>
      {describeProblem(error, labels)}
    </p>
  );
}
