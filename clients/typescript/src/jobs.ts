import { JobFailedError } from './errors.ts';
import { pause } from './send.ts';
import type { Transport } from './transport.ts';
import type { Job, JobSummary, RequestList, RequestQuery } from './types.ts';

/** Pauses between two looks at a job: each is half as long again as the one before. */
const POLL_MS = { first: 500, max: 5_000 };
const RECONNECT_MS = 1_000;

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with each state of the job that is read. */
  readonly onProgress?: ((job: Job) => void) | undefined;
  /** First and longest pause between two looks at the job. Defaults to half a second and five. */
  readonly pollMs?: { readonly first: number; readonly max: number } | undefined;
}

export function statusPath(requestId: string): string {
  return `/v2/requests/status/${encodeURIComponent(requestId)}`;
}

function hasEnded({ status }: Job): boolean {
  return status === 'COMPLETED' || status === 'FAILED' || status === 'ERROR';
}

/** Polls a job until it has ended. @throws JobFailedError */
export async function waitForJob(
  transport: Transport,
  requestId: string,
  { signal, onProgress, pollMs = POLL_MS }: WaitOptions,
): Promise<Job> {
  for (let pauseMs = pollMs.first; ; pauseMs = Math.min(pauseMs * 1.5, pollMs.max)) {
    const job = await transport.json<Job>(statusPath(requestId), { signal });
    onProgress?.(job);
    if (job.status === 'COMPLETED') return job;
    if (hasEnded(job)) throw new JobFailedError(job);
    await pause(pauseMs, signal);
  }
}

/** Yields each state of a job until it has ended, from server-sent events. Connects again when they break off. */
export async function* jobEvents(
  transport: Transport,
  requestId: string,
  signal?: AbortSignal,
): AsyncGenerator<Job, void, undefined> {
  const headers = { accept: 'text/event-stream' };
  for (let seen = ''; ; ) {
    const response = await transport.open(`${statusPath(requestId)}/events`, { headers, signal });
    for await (const data of eventData(response, signal)) {
      // A new stream begins with the state that may be known.
      if (data === seen) continue;
      seen = data;
      const job = JSON.parse(data) as Job;
      yield job;
      if (hasEnded(job)) return;
    }
    await pause(RECONNECT_MS, signal);
  }
}

/** Yields the data of each whole event, until the stream ends or breaks off. */
async function* eventData(response: Response, signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const read = await reader?.read().catch(() => undefined);
      signal?.throwIfAborted();
      if (!read?.value) return;
      text += decoder.decode(read.value, { stream: true });
      const events = text.split(/\r?\n\r?\n/);
      text = events.pop() ?? '';
      for (const event of events) {
        const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
        if (lines.length > 0) yield lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n');
      }
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

/** Yields the account's requests, newest first, page by page. */
export async function* allRequests(
  transport: Transport,
  query: RequestQuery,
  signal?: AbortSignal,
): AsyncGenerator<JobSummary, void, undefined> {
  for (let cursor = query.cursor; ; ) {
    const page: RequestList = await transport.json('/v2/requests', {
      query: { ...query, cursor },
      signal,
    });
    yield* page.requests;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}
