import type { Metadata } from 'next';
import Link from 'next/link';
import { OPERATIONS } from '../../models/registry.ts';
import { readEnv } from '../../server/env.ts';
import styles from './docs.module.css';
import { ErrorTable } from './error-table.tsx';
import { JobDocs } from './job-docs.tsx';
import { LimitDocs } from './limit-docs.tsx';
import { OperationDocs } from './operation-docs.tsx';

export const metadata: Metadata = {
  title: 'Docs',
  description: 'The HTTP API: every tool as a prepaid job, with its fields, prices, errors and limits.',
};

/** The HTTP API, generated from the operations and schemas that serve it. */
export default function DocsPage() {
  const { PUBLIC_URL, GPL_ENCODERS, ...env } = readEnv();
  const apiUrl = `${PUBLIC_URL}/api`;
  const operations = Object.values(OPERATIONS);
  const parts = [
    ...operations.map(({ id, title }) => ({ id, title })),
    { id: 'jobs', title: 'Jobs' },
    { id: 'errors', title: 'Errors' },
    { id: 'limits', title: 'Limits' },
  ];
  return (
    <div className={styles.docs}>
      <nav aria-label="On this page" className={styles.contents}>
        {parts.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
        <a href="/api/openapi.json">OpenAPI description</a>
      </nav>
      <div className={styles.guide}>
        <header className={styles.part}>
          <div>
            <h1>Docs</h1>
            <p>Every tool is also an HTTP API. Send a file’s URL, and our server runs the job.</p>
          </div>
          <div>
            <p>
              The API is at <code>{apiUrl}</code>. Requests and responses are JSON. You need an API key with a
              prepaid wallet: <Link href="/settings">Settings</Link> shows the balance of yours. All{' '}
              <Link href="/#prices">prices</Link> are known before a job starts, and failed jobs are free.
            </p>
            <p>
              The <a href="/api/openapi.json">OpenAPI description</a> has every field and response, for code
              generators.
            </p>
          </div>
        </header>
        {operations.map((operation) => (
          <OperationDocs
            key={operation.id}
            operation={operation}
            apiUrl={apiUrl}
            gplEncoders={GPL_ENCODERS}
          />
        ))}
        <JobDocs apiUrl={apiUrl} resultHours={env.RESULT_TTL_HOURS} />
        <ErrorTable />
        <LimitDocs
          perSecond={env.RATE_LIMIT_PER_SECOND}
          burst={env.RATE_LIMIT_BURST}
          waitSeconds={env.SYNC_TIMEOUT_SECONDS}
        />
      </div>
    </div>
  );
}
