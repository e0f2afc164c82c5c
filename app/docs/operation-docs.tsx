import { formatUsd } from '../../models/money.ts';
import type { Operation } from '../../models/operation.ts';
import { bytesMaxOf } from '../../models/request.ts';
import { bytes, seconds } from '../(studio)/text/quantities.ts';
import { CodeBlock } from './code-block.tsx';
import styles from './docs.module.css';
import { exampleRequest } from './example-request.ts';
import { requestFields } from './request-fields.ts';

interface OperationDocsProps {
  readonly operation: Operation;
  readonly apiUrl: string;
  readonly gplEncoders: boolean;
}

/** One operation: what it does and costs, a request, and all fields of its body. */
export function OperationDocs({ operation, apiUrl, gplEncoders }: OperationDocsProps) {
  const { id, title, summary, batch, rates, inputs, limits, mayWait } = operation;
  const largest = Math.max(...Object.values(inputs).map((input) => bytesMaxOf(operation, input)));
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p>{summary}</p>
        <dl className={styles.facts}>
          <div>
            <dt>Price</dt>
            <dd>{rates.map(({ amount, per }) => `$${formatUsd(amount)} per ${per}`).join(', ')}</dd>
          </div>
          <div>
            <dt>Limits</dt>
            <dd>
              {bytes(largest)} per file, {seconds(limits.runSecondsMax)} per run
            </dd>
          </div>
          <div>
            <dt>Response</dt>
            <dd>{mayWait ? 'The result, or a polling URL when it takes longer' : 'A polling URL'}</dd>
          </div>
          {batch && (
            <div>
              <dt>Batches</dt>
              <dd>
                Up to {batch.itemsMax} requests as <code>items</code>, at the same URL with{' '}
                <code>/batch</code>
              </dd>
            </div>
          )}
        </dl>
      </div>
      <div>
        <CodeBlock label={`Request: ${title}`}>{exampleRequest(apiUrl, operation)}</CodeBlock>
        <dl className={styles.fields}>
          {requestFields(operation, { gplEncoders }).map((field) => (
            <div key={field.name}>
              <dt>
                <code>{field.name}</code>
                <span>{field.isRequired ? 'required' : field.initial && `default ${field.initial}`}</span>
              </dt>
              <dd>
                {field.description}
                {field.values && <code>{field.values}</code>}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
