'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { TEST_MODE_COOKIE, TEST_MODE_HEADER } from '../../../models/test-mode/test-mode-cookie.ts';
import styles from '../parts/dashboard.module.css';
import { describeProblem } from '../parts/format.ts';
import requestStyles from './requests.module.css';

/** Stands in the log for what it does not keep. */
const NOT_KEPT = /\[redacted\]|\[left out/;

/** Request of the log. */
interface Replayed {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** JSON; null without a body. */
  readonly body: string | null;
}

/** Reports whether a page can send a request again: what takes no bytes, belongs to people and has its whole path. */
export function isReplayable({ path }: Replayed): boolean {
  return (
    path.startsWith('/api/') && !/^\/api\/(uploads|v2\/(uploads|worker))\b/.test(path) && !NOT_KEPT.test(path)
  );
}

/** Sends a request of the log again, as it stands or changed, for who is signed in. */
export function Replay({ request: { method, path, body } }: { readonly request: Replayed }) {
  const [text, setText] = useState(body);
  const send = useMutation({ mutationFn: () => sendAgain({ method, path, body: text }) });
  const isWhole = text === null || !NOT_KEPT.test(text);
  const isJson = text === null || isParsed(text);
  return (
    <details className={requestStyles.replay}>
      <summary>Replay</summary>
      {text !== null && (
        <textarea
          className={requestStyles.body}
          aria-label="Body of the request"
          rows={Math.min(16, text.split('\n').length + 1)}
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <p className="note">
        {isWhole ? '' : 'Fill in what the log leaves out: files and secrets. '}
        {isJson ? '' : 'This is no JSON. '}
        {isTestMode() ? 'Test data is shown: it costs nothing.' : 'A new job is charged.'}
      </p>
      <button
        type="button"
        className="button button-primary"
        disabled={!isWhole || !isJson || send.isPending}
        onClick={() => send.mutate()}
      >
        {send.isPending ? 'Sending…' : 'Send again'}
      </button>
      <div role="status">{send.data && <Received response={send.data} />}</div>
      {send.error && <p role="alert">{describeProblem(send.error)}</p>}
    </details>
  );
}

interface ReceivedResponse {
  readonly status: number;
  readonly text: string;
  /** Job that it began, or tells of. */
  readonly jobId: string | undefined;
}

function Received({ response: { status, text, jobId } }: { readonly response: ReceivedResponse }) {
  return (
    <>
      <p>
        Response {status}
        {jobId && (
          <>
            : <Link href={`/dashboard/jobs?job=${encodeURIComponent(jobId)}`}>its job</Link>
          </>
        )}
      </p>
      {text !== '' && <pre className={styles.text}>{text}</pre>}
    </>
  );
}

async function sendAgain({ method, path, body }: Replayed): Promise<ReceivedResponse> {
  const response = await fetch(path, {
    method,
    body,
    headers: {
      // With the old one the first response would come again.
      'idempotency-key': crypto.randomUUID(),
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(isTestMode() && { [TEST_MODE_HEADER]: 'test' }),
    },
  });
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (!/json|^text\//.test(type)) {
    await response.body?.cancel();
    return { status, text: type, jobId: undefined };
  }
  const text = await response.text();
  const found: unknown = type.includes('json') ? JSON.parse(text) : undefined;
  return { status, text: found ? JSON.stringify(found, null, 2) : text, jobId: findJobId(found) };
}

function findJobId(response: unknown): string | undefined {
  const isOfJob = typeof response === 'object' && response !== null && 'request_id' in response;
  return isOfJob && typeof response.request_id === 'string' ? response.request_id : undefined;
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isTestMode = (): boolean => document.cookie.split('; ').includes(`${TEST_MODE_COOKIE}=test`);
