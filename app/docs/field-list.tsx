import type { ReactNode } from 'react';
import styles from './docs.module.css';

export interface ListedField {
  readonly name: string;
  /** Small, below the name: `required`, `default 92`. */
  readonly note?: string;
  readonly text: ReactNode;
  /** Accepted values, on a line of their own. */
  readonly values?: string;
}

/** Names as code, each with its meaning: fields, states, statuses. */
export function FieldList({ fields }: { readonly fields: readonly ListedField[] }) {
  return (
    <dl className={styles.fields}>
      {fields.map(({ name, note, text, values }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {note && <span>{note}</span>}
          </dt>
          <dd>
            {text}
            {values && <code>{values}</code>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
