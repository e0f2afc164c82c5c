import { JobFailedError } from './errors.ts';
import type { Transport } from './transport.ts';
import { pause } from './transport.ts';
import type { CompletedJob, Job, JobSummary, RequestList, RequestQuery } from './types.ts';

/** Times between two looks at a job: each is half as long again as the one before. */
const POLL_MS = { first: 500, max: 5_000 };
const RECONNECT_MS = 1_000;
/** Status of the events of an ended job whose last event is known. */
const NO_MORE_EVENTS = 204;

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with each state of the job that is read. */
  readonly onProgress?: ((job: Job) => void) | undefined;
  /**
   * First and longest time between two looks at the job. Defaults to half a second and five. A service that can holds
   * each look for so long, in whole seconds, and responds as soon as the job has ended.
   */
  readonly pollMs?: { readonly first: number; readonly max: number } | undefined;
}

export function statusPath(requestId: string): string {
  return `/v2/requests/status/${encodeId(requestId)}`;
}

/** Writes an id as a segment of a path. @throws RangeError for what would name another path */
export function encodeId(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new RangeError(`"${id}" is no id.`);
  return encodeURIComponent(id);
}

function hasEnded({ status }: Job): boolean {
  return status === 'COMPLETED' || status === 'FAILED' || status === 'ERROR';
}

function isCompleted(job: Job): job is CompletedJob {
  return job.status === 'COMPLETED';
}

/** Polls a job until it has ended: the service is asked to hold each response until then. @throws JobFailedError */
export async function waitForJob(
  transport: Transport,
  requestId: string,
  { signal, onProgress, pollMs = POLL_MS }: WaitOptions,
): Promise<CompletedJob> {
  for (let pauseMs = pollMs.first; ; pauseMs = Math.min(pauseMs * 1.5, pollMs.max)) {
    const askedAtMs = performance.now();
    const prefer = `wait=${Math.max(1, Math.round(pauseMs / 1000))}`;
    const job = await transport.json<Job>(statusPath(requestId), { headers: { prefer }, signal });
    onProgress?.(job);
    if (isCompleted(job)) return job;
    if (hasEnded(job)) throw new JobFailedError(job);
    // A service that does not hold responses responds at once.
    const wasHeld = performance.now() - askedAtMs >= pauseMs / 2;
    if (!wasHeld) await pause(pauseMs, signal);
  }
}

/**
 * Yields each state of a job until it has ended, from server-sent events. Connects again when they break off, with the
 * id of the last event.
 */
export async function* jobEvents(
  transport: Transport,
  requestId: string,
  signal?: AbortSignal,
): AsyncGenerator<Job, void, undefined> {
  for (let seenId: string | undefined; ; ) {
    const headers = { accept: 'text/event-stream', ...(seenId !== undefined && { 'last-event-id': seenId }) };
    const response = await transport.open(`${statusPath(requestId)}/events`, { headers, signal });
    if (response.status === NO_MORE_EVENTS) return;
    for await (const { id, data } of readEvents(response, signal)) {
      seenId = id;
      const job = JSON.parse(data) as Job;
      yield job;
      if (hasEnded(job)) return;
    }
    await pause(RECONNECT_MS, signal);
  }
}

interface ServerSentEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Yields each whole event of a stream, until the stream ends or breaks off. */
export async function* readEvents(
  response: Response,
  signal?: AbortSignal,
): AsyncGenerator<ServerSentEvent, void, undefined> {
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
        const data = getFields(event, 'data');
        if (data.length > 0) yield { id: getFields(event, 'id').at(-1), data: data.join('\n') };
      }
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

/** Returns the values of a field of a server-sent event, in order. */
function getFields(event: string, name: 'data' | 'id'): string[] {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith(`${name}:`));
  return lines.map((line) => line.slice(name.length + 1).replace(/^ /, ''));
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
