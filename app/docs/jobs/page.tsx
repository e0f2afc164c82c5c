import { JOB_STATUSES, type JobStatus } from '../../../models/core/operation/job.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { JOB_EVENT } from '../../../server/api/job-event.ts';
import {
  QUOTES_PER_MINUTE,
  STREAM_MINUTES_MAX,
  WAIT_SECONDS_MAX,
} from '../../../server/api/transport/process-limits.ts';
import { readEnv } from '../../../server/base/env.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { CodeBlock } from '../code-block.tsx';
import { Example } from '../example.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const MEANINGS: Readonly<Record<JobStatus, string>> = {
  QUEUED: 'Accepted. The price is held.',
  PROCESSING: 'Running. progress goes from 0 to 1.',
  COMPLETED: 'The result is ready. Charged.',
  FAILED: 'The input cannot be processed, or was canceled. Not charged.',
  ERROR: 'The service failed. Not charged.',
};

const HREF = '/docs/jobs';

export const metadata = guideMetadata(HREF);

const NAMES = new Intl.ListFormat('en');

export default function JobsPage() {
  const operations = Object.values(OPERATIONS);
  const getNames = (waits: boolean) =>
    NAMES.format(operations.filter(({ response }) => Boolean(response) === waits).map(({ title }) => title));
  return (
    <Guide
      href={HREF}
      lead={
        <p>
          Every request becomes a job. {getNames(true)} wait for its result. The others return the job
          immediately.
        </p>
      }
    >
      <SendPart />
      <PollPart />
      <WaitPart />
      <EventsPart />
      <CancelPart />
      <QuotesPart />
      <ListPart />
      <UsagePart />
    </Guide>
  );
}

function SendPart() {
  return (
    <GuidePart
      id="send"
      title="Send a request"
      text={
        <>
          <p>
            Give a URL that we can fetch. The response is <code>202</code> with a <code>request_id</code> and
            the URL to poll.
          </p>
          <p>
            <SiteLink href="/docs/keys">Keys and tokens</SiteLink> has the other header for the key.
          </p>
          <p>
            <code>reference</code>, your own name of the job, and <code>metadata</code>, up to 16 texts by
            key, come back with the job and its webhook.
          </p>
        </>
      }
    >
      <Example name="send" label="Send a request" />
      <CodeBlock label="Response: 202">
        {`{
"request_id": "media-convert-image_…",
"status": "QUEUED",
"polling_url": "…/api/v2/requests/status/media-convert-image_…"
}`}
      </CodeBlock>
    </GuidePart>
  );
}

function PollPart() {
  const { RESULT_TTL_HOURS } = readEnv();
  return (
    <GuidePart
      id="poll"
      title="Poll a job"
      text={
        <>
          <p>
            Poll every 5 to 10 seconds until the job has ended. <code>Prefer: wait=10</code> holds the
            response until then, for 10 seconds at most, or up to {WAIT_SECONDS_MAX}.
          </p>
          <JobStates />
          <p>Result URLs work for {RESULT_TTL_HOURS} hours.</p>
        </>
      }
    >
      <Example name="poll" label="Poll a job" />
    </GuidePart>
  );
}

function WaitPart() {
  const { SYNC_TIMEOUT_SECONDS } = readEnv();
  return (
    <GuidePart
      id="wait"
      title="Wait for the result"
      text={
        <>
          <p>
            The paths below <code>/v1</code> return the result itself with <code>200</code>, within{' '}
            {SYNC_TIMEOUT_SECONDS} seconds.
          </p>
          <p>
            A longer job returns <code>202</code> with a polling URL, and continues;{' '}
            <code>Prefer: respond-async</code> asks for it immediately. Checking an image never returns a job.
          </p>
        </>
      }
    >
      <Example name="wait" label="Wait for the result" />
    </GuidePart>
  );
}

function EventsPart() {
  return (
    <GuidePart
      id="events"
      title="Follow a job"
      text={
        <p>
          Instead of polling, read server-sent events named <code>{JOB_EVENT}</code>: the job as JSON, at once
          and with each change. The stream ends with the job, or after {STREAM_MINUTES_MAX} minutes: then
          reconnect with <code>Last-Event-ID</code>, as an <code>EventSource</code> does. After the last event
          a reconnect gets <code>204</code>.
        </p>
      }
    >
      <Example name="events" label="Follow a job" />
    </GuidePart>
  );
}

function CancelPart() {
  return (
    <GuidePart
      id="cancel"
      title="Cancel a request"
      text={
        <p>
          The job stops within seconds and ends <code>FAILED</code> with the error <code>canceled</code>, at
          no charge. A job that has ended returns <code>409</code>.
        </p>
      }
    >
      <Example name="cancel" label="Cancel a request" />
    </GuidePart>
  );
}

function QuotesPart() {
  return (
    <GuidePart
      id="quotes"
      title="Ask for the price first"
      text={
        <p>
          A quote fetches and checks the input, and returns the price, the usual time and the engine, at no
          charge. At most {QUOTES_PER_MINUTE} a minute for each account.
        </p>
      }
    >
      <Example name="quote" label="Ask for the price first" />
    </GuidePart>
  );
}

function ListPart() {
  return (
    <GuidePart
      id="list"
      title="List requests"
      text={
        <p>
          Newest first, in pages: <code>next_cursor</code> is null on the last one. Filter by{' '}
          <code>status</code>, <code>operation</code>, <code>from</code>, <code>to</code>,{' '}
          <code>reference</code> and <code>metadata[key]</code>.
        </p>
      }
    >
      <Example name="list" label="List requests" />
    </GuidePart>
  );
}

function UsagePart() {
  return (
    <GuidePart
      id="usage"
      title="Read your usage"
      text={
        <p>
          Charges by day, operation and key, of the last 30 days or <code>from</code> and <code>to</code>.
        </p>
      }
    >
      <Example name="usage" label="Read your usage" />
    </GuidePart>
  );
}

function JobStates() {
  return <FieldList fields={JOB_STATUSES.map((status) => ({ name: status, text: MEANINGS[status] }))} />;
}
