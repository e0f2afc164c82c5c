import Link from 'next/link';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { CodeBlock } from '../../docs/code-block.tsx';
import { exampleRequest } from '../../docs/example-request.ts';
import styles from './sections.module.css';

const FACTS = [
  {
    title: 'Your browser does the work',
    text: 'Code runs in your browser, in Web Workers on your device’s own cores. Files are never uploaded.',
  },
  {
    title: 'Nothing is sent',
    text: 'The studio’s pages cannot contact any other site. Open your browser’s network panel and watch, or go offline: it keeps working.',
  },
  {
    title: 'Nothing is stored elsewhere',
    text: 'Files are processed in Web Workers that exit when done and free their memory. Recent results stay in this browser until you delete them.',
  },
] as const;

interface ApiExampleProps {
  /** API root without a trailing slash. */
  readonly apiUrl: string;
  readonly operation: Operation;
}

export function ApiExample({ apiUrl, operation }: ApiExampleProps) {
  return (
    <section aria-labelledby="api">
      <h2 id="api">Use it from your own code</h2>
      <CodeBlock label="Example request" canCopy>
        {exampleRequest(apiUrl, operation)}
      </CodeBlock>
      <p className={styles.note}>
        Responds immediately with a polling URL; fetch the result by polling, or receive it by a signed
        webhook. Begin with the <Link href="/docs/quickstart">quickstart</Link>, or see the{' '}
        <Link href="/docs">docs</Link>.
      </p>
    </section>
  );
}

export function DeviceMeaning() {
  return (
    <section aria-labelledby="device">
      <h2 id="device">What “on this device” means</h2>
      <ul className={styles.columns}>
        {FACTS.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        See <Link href="/settings">what this device can do</Link>.
      </p>
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
            <th scope="col">On this device</th>
            <th scope="col">On our server, by API</th>
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
      <p className={styles.note}>Paid from a prepaid wallet. Failed jobs are free.</p>
    </section>
  );
}
