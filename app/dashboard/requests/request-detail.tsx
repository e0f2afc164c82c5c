'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { CallOutputs } from '../../../server/api/trpc/router.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { formatMoment } from '../../ui/dates.ts';
import { formatSeconds } from '../../ui/quantities.ts';
import styles from '../parts/dashboard.module.css';
import { Fact } from '../parts/fact.tsx';
import { modelName } from '../parts/format.ts';
import { useTrpc } from '../parts/trpc-client.tsx';
import { isReplayable, Replay } from './replay.tsx';
import requestStyles from './requests.module.css';

/** Stands for the key of a request by a member's session. */
export const SIGNED_IN = 'Signed in';

type LoggedRequest = CallOutputs['requests']['get'];

/** Everything that the log keeps of one request. */
export function RequestDetail({ id }: { readonly id: string }) {
  const calls = useTrpc();
  const { data: request, error } = useQuery(calls.requests.get.queryOptions({ id }));
  return (
    <article className={requestStyles.detail}>
      <p className="note">
        <Link href="/dashboard/requests">All requests</Link>
      </p>
      {!request && <h1>Request</h1>}
      {error && <p role="alert">This request is not in the log. It may be too old, or test data.</p>}
      {!request && !error && <p role="status">Loading…</p>}
      {request && <Found request={request} />}
    </article>
  );
}

function Found({ request }: { readonly request: LoggedRequest }) {
  const { method, path, body, problem } = request;
  return (
    <>
      <div className={styles.head}>
        <h1 className={requestStyles.title}>
          {method} {path}
        </h1>
      </div>
      <Facts request={request} />
      {body !== null && <Json title="Request" text={body} note="Without files and secrets." />}
      {problem !== null && <Json title="Response" text={problem} />}
      {isReplayable(request) && <Replay request={request} />}
    </>
  );
}

function Facts({ request }: { readonly request: LoggedRequest }) {
  const { status, code, message, createdAt, durationMs, requestId, jobId, modelId, key } = request;
  const { address, userAgent, idempotencyKey } = request;
  return (
    <dl className={styles.facts}>
      <Fact name="Status">
        <span className={styles.state} data-tone={getTone(status)}>
          {status}
        </span>
      </Fact>
      {code !== null && (
        <Fact name="Error">
          <code>{code}</code> {message}
        </Fact>
      )}
      <Fact name="Time">{formatMoment(createdAt)}</Fact>
      <Fact name="Took">{formatMs(durationMs)}</Fact>
      <Fact name="Request id">
        <span className="facts">{requestId}</span>
      </Fact>
      {jobId !== null && (
        <Fact name="Job">
          <Link href={`/dashboard/jobs?job=${encodeURIComponent(jobId)}`} className="facts">
            {jobId}
          </Link>
          , <Link href={`/dashboard/requests?search=${encodeURIComponent(jobId)}`}>its requests</Link>
        </Fact>
      )}
      {modelId !== null && <Fact name="Operation">{modelName(modelId)}</Fact>}
      <Fact name="Key">{describeSender(key)}</Fact>
      {idempotencyKey !== null && (
        <Fact name="Idempotency-Key">
          <span className="facts">{idempotencyKey}</span>
        </Fact>
      )}
      {address !== null && <Fact name="Address">{address}</Fact>}
      {userAgent !== null && <Fact name="Client">{userAgent}</Fact>}
    </dl>
  );
}

interface JsonProps {
  readonly title: string;
  readonly text: string;
  readonly note?: string;
}

function Json({ title, text, note }: JsonProps) {
  return (
    <section aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <span className={requestStyles.copy}>
          <CopyText text={text} />
        </span>
      </div>
      {note && <p className="note">{note}</p>}
      <pre className={styles.text}>{text}</pre>
    </section>
  );
}

/** Returns the colour of a status: green for success, amber for a request at fault, red for a fault of the service. */
export function getTone(status: number): string {
  if (status < 300) return 'good';
  if (status < 400) return 'muted';
  return status < 500 ? 'warn' : 'bad';
}

/** Formats the time that a response took: `4 ms`, `1.2 s`. */
export function formatMs(ms: number): string {
  if (ms >= 999.5) return formatSeconds(ms / 1000);
  return ms < 1 ? '< 1 ms' : `${Math.round(ms)} ms`;
}

/** Names who sent a request: a key, or a member who was signed in. */
function describeSender(key: { readonly name: string; readonly prefix: string } | null): string {
  return key ? `${key.name} (${key.prefix})` : SIGNED_IN;
}
