import Link from 'next/link';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { CodeBlock } from '../../docs/code-block.tsx';
import { exampleRequest } from '../../docs/example-request.ts';
import styles from './sections.module.css';

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
