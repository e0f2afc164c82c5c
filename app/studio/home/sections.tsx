import Link from 'next/link';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { CodeBlock } from '../../docs/code-block.tsx';
import { exampleRequest } from '../../docs/example-request.ts';
import styles from './sections.module.css';

const FACTS = [
  { title: 'No upload', text: 'Your browser does the work. These pages can’t contact any other site.' },
  { title: 'Works offline', text: 'Open a tool once, then switch the network off.' },
  { title: 'Yours to delete', text: 'Results stay in this browser until you delete them.' },
] as const;

interface ApiExampleProps {
  /** API root without a trailing slash. */
  readonly apiUrl: string;
  readonly operation: Operation;
}

export function ApiExample({ apiUrl, operation }: ApiExampleProps) {
  return (
    <section aria-labelledby="api">
      <h2 id="api">API</h2>
      <CodeBlock label="Example request" canCopy>
        {exampleRequest(apiUrl, operation)}
      </CodeBlock>
      <p className={styles.note}>
        Start with the <Link href="/docs/quickstart">quickstart</Link>, or see the{' '}
        <Link href="/docs">docs</Link>.
      </p>
    </section>
  );
}

export function DeviceMeaning() {
  return (
    <section aria-labelledby="device">
      <h2 id="device">On your device</h2>
      <ul className={styles.columns}>
        {FACTS.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Lists prices from the operations themselves, so that listed and charged prices agree. */
export function PriceList({ operations }: { readonly operations: readonly Operation[] }) {
  return (
    <section aria-labelledby="prices">
      <h2 id="prices">Prices</h2>
      <table className={styles.prices}>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">On your device</th>
            <th scope="col">By API</th>
          </tr>
        </thead>
        <tbody>
          {operations.map(({ id, title, rates }) => (
            <tr key={id}>
              <th scope="row">{title}</th>
              <td>free</td>
              <td>
                {Object.values(rates).map(({ amount, per }) => (
                  <span key={per}>
                    ${formatUsd(amount)} per {per}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>Prepaid. Failed jobs are free.</p>
    </section>
  );
}
