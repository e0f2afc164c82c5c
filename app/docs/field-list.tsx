import styles from './docs.module.css';
import type { ListedField } from './listed-field.ts';

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
