import { readEnv } from '../../../server/base/env.ts';
import { applyPricing } from '../../../server/base/pricing.ts';
import { CodeBlock } from '../code-block.tsx';
import styles from '../docs.module.css';
import { endpointExample } from '../endpoint-example.ts';
import type { ListedField } from '../endpoints.ts';
import { type Endpoint, getEndpoints, getLimit, getPrice } from '../endpoints.ts';
import { FieldList, Guide, guideMetadata, withCode } from '../guide.tsx';

interface EndpointDocsProps {
  readonly endpoint: Endpoint;
  /** API root without a trailing slash. */
  readonly apiUrl: string;
}

interface FieldsBelowProps {
  readonly title: string;
  readonly fields: readonly ListedField[];
  readonly isOpen: boolean;
  /** Endpoint, for those who hear the headings alone. */
  readonly about: string;
}

const HREF = '/docs/reference';

export const metadata = guideMetadata(HREF);

/** The HTTP API, from the same OpenAPI document that programs read. */
export default function ReferencePage() {
  const { PUBLIC_URL, GPL_ENCODERS, TERMS } = readEnv();
  const apiUrl = `${PUBLIC_URL}/api`;
  const endpoints = getEndpoints(applyPricing(TERMS), { gplEncoders: GPL_ENCODERS });
  return (
    <Guide
      href={HREF}
      lead={
        <>
          <p>
            The API is at <code>{apiUrl}</code>. Requests and responses are JSON.
          </p>
          <p>
            <a href="/docs/try">Try an operation here</a>, or read the{' '}
            <a href="/api/openapi.json">OpenAPI description</a>.
          </p>
        </>
      }
      aside={
        <nav aria-label="On this page">
          <ul className={styles.contents}>
            {endpoints.map(({ id, method, path }) => (
              <li key={id}>
                <a href={`#${id}`}>
                  <code>
                    {method} {path}
                  </code>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      }
    >
      {endpoints.map((endpoint) => (
        <EndpointDocs key={endpoint.id} endpoint={endpoint} apiUrl={apiUrl} />
      ))}
    </Guide>
  );
}

/** One endpoint: what it does and costs, a request, all fields and all statuses. */
function EndpointDocs({ endpoint, apiUrl }: EndpointDocsProps) {
  const { id, method, path, title, description, groups, statuses, operation } = endpoint;
  // Its items have the fields of the operation, which stands above.
  const isBatch = operation !== undefined && operation.path !== path;
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div>
        <h2 id={id} className={styles.endpoint}>
          <code>
            {method} <span>{path}</span>
          </code>
        </h2>
        <p>{title}</p>
        {description && <p>{withCode(description)}</p>}
        <dl className={styles.facts}>
          {getFacts(endpoint).map(([name, text]) => (
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
          <FieldsBelow
            key={group.title}
            {...group}
            isOpen={group.title === 'Body' && !isBatch}
            about={title}
          />
        ))}
        <FieldsBelow title="Statuses" fields={statuses} isOpen={false} about={title} />
      </div>
    </section>
  );
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

function getFacts({ keys, operation }: Endpoint): readonly (readonly [name: string, text: string])[] {
  return [
    ['Key', keys.length > 0 ? keys.join(' or ') : 'none'],
    ...(operation ? [['Price', getPrice(operation)] as const, ['Limits', getLimit(operation)] as const] : []),
  ];
}
