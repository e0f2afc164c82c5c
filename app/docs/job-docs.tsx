import { JOB_STATUSES, type JobStatus } from '../../models/job.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { CodeBlock } from './code-block.tsx';
import styles from './docs.module.css';
import { keyHeader } from './example-request.ts';

const MEANINGS: Readonly<Record<JobStatus, string>> = {
  QUEUED: 'Accepted. The price is held in the wallet.',
  PROCESSING: 'Running. progress goes from 0 to 1.',
  COMPLETED: 'The result is ready, and the price is charged.',
  FAILED: 'The input cannot be processed. Not charged.',
  ERROR: 'The service failed. Not charged.',
};

interface JobDocsProps {
  readonly apiUrl: string;
  readonly resultHours: number;
}

/** The states of a job, and the ways to its result. */
export function JobDocs({ apiUrl, resultHours }: JobDocsProps) {
  const request = [
    `curl ${apiUrl}/v2/requests/status/$REQUEST_ID \\`,
    `  -H "${keyHeader(OPERATIONS['media-convert-image'])}"`,
  ];
  return (
    <section className={styles.part} aria-labelledby="jobs">
      <div>
        <h2 id="jobs">Jobs</h2>
        <p>
          Poll the URL in the response every 5 to 10 seconds. Or send <code>X-Webhook-URL</code> with the
          request: it receives the job once it has ended, signed by Standard Webhooks.
        </p>
        <p>
          Send an <code>Idempotency-Key</code>, and you can safely repeat the request for 24 hours.
        </p>
      </div>
      <div>
        <CodeBlock label="Request: state of a job">{request.join('\n')}</CodeBlock>
        <dl className={styles.fields}>
          {JOB_STATUSES.map((status) => (
            <div key={status}>
              <dt>
                <code>{status}</code>
              </dt>
              <dd>{MEANINGS[status]}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.note}>Result URLs work for {resultHours} hours.</p>
      </div>
    </section>
  );
}
