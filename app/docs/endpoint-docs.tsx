import { CodeBlock } from './code-block.tsx';
import styles from './docs.module.css';
import { endpointExample } from './endpoint-example.ts';
import type { Endpoint } from './endpoints.ts';
import { FieldList } from './field-list.tsx';
import type { ListedField } from './listed-field.ts';
import { limitOf, priceOf } from './operation-facts.ts';

interface EndpointDocsProps {
  readonly endpoint: Endpoint;
  /** API root without a trailing slash. */
  readonly apiUrl: string;
}

/** One endpoint: what it does and costs, a request, all fields and all statuses. */
export function EndpointDocs({ endpoint, apiUrl }: EndpointDocsProps) {
  const { id, method, path, title, description, groups, statuses } = endpoint;
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div>
        <h2 id={id} className={styles.endpoint}>
          <code>
            {method} <span>{path}</span>
          </code>
        </h2>
        <p>{title}</p>
        {description && <p>{description}</p>}
        <dl className={styles.facts}>
          {factsOf(endpoint).map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div>
        <CodeBlock label={`Request: ${title}`}>{endpointExample(apiUrl, endpoint)}</CodeBlock>
        {groups.map((group) => (
          <FieldsBelow key={group.title} {...group} isOpen={group.title === 'Body'} about={title} />
        ))}
        <FieldsBelow title="Statuses" fields={statuses} isOpen={false} about={title} />
      </div>
    </section>
  );
}

interface FieldsBelowProps {
  readonly title: string;
  readonly fields: readonly ListedField[];
  readonly isOpen: boolean;
  /** Endpoint, for those who hear the headings alone. */
  readonly about: string;
}

function FieldsBelow({ title, fields, isOpen, about }: FieldsBelowProps) {
  return (
    <details className={styles.more} open={isOpen}>
      <summary>
        {title}
        <span className="sr-only"> of {about}</span>
      </summary>
      <FieldList fields={fields} />
    </details>
  );
}

function factsOf({ keys, operation }: Endpoint): readonly (readonly [name: string, text: string])[] {
  return [
    ['Key', keys.length > 0 ? keys.join(' or ') : 'none'],
    ...(operation ? [['Price', priceOf(operation)] as const, ['Limits', limitOf(operation)] as const] : []),
  ];
}
