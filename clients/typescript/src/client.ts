import { JobFailedError } from './errors.ts';
import { OPERATIONS } from './operations.ts';
import { pause, sendJson } from './send.ts';
import type { Job, OperationId, ParamsOf } from './types.ts';

const POLL_MS = { first: 500, max: 5_000 };

export interface ClientOptions {
  readonly apiKey: string;
  /** Origin of the service, such as `https://darkroom.example.com`. */
  readonly origin: string;
  /** Defaults to the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export type Media = 'image' | 'video' | 'audio';

export interface RunOptions {
  /** Defaults to a random key, so that a retry never runs twice. Give your own to repeat a call in another process. */
  readonly idempotencyKey?: string;
  /** URL that receives the job once it has ended. */
  readonly webhookUrl?: string;
  /** Kind of an input given by URL, for operations that read several. Defaults to a file's own, or an image. */
  readonly media?: Media;
  /** Aborts the call, and cancels its job. */
  readonly signal?: AbortSignal;
  /** Called with each new state of the job. */
  readonly onProgress?: (job: Job) => void;
}

export interface Client {
  /**
   * Runs an operation, and waits for its end.
   * @param input URL, or the file itself, which is uploaded
   * @throws JobFailedError, ApiError, or the signal's reason
   */
  run<Id extends OperationId>(
    id: Id,
    input: string | Blob,
    params: ParamsOf<Id>,
    options?: RunOptions,
  ): Promise<Job>;
  /** Uploads a file. @returns a URL that works as the input of one request */
  upload(file: Blob, signal?: AbortSignal): Promise<string>;
  /** Returns a job. @throws ApiError 404 for an unknown one */
  getJob(requestId: string, signal?: AbortSignal): Promise<Job>;
  /** Cancels a job. @throws ApiError 409 when it has ended */
  cancel(requestId: string): Promise<Job>;
}

/** Creates a client of a service. */
export function createClient({ apiKey, origin, fetch = globalThis.fetch }: ClientOptions): Client {
  const api = `${origin.replace(/\/$/, '')}/api`;
  const bearer = { authorization: `Bearer ${apiKey}` };
  const send = (path: string, init: RequestInit = {}) =>
    sendJson(
      (request) => fetch(request),
      () => new Request(api + path, { ...init, headers: { ...bearer, ...init.headers } }),
      init.signal ?? undefined,
    );
  const client: Client = {
    async run(id, input, params, { signal, onProgress, media, ...options } = {}) {
      const { path, authentication, fields } = OPERATIONS[id];
      const url = typeof input === 'string' ? input : await client.upload(input, signal);
      const { request_id } = (await send(path, {
        method: 'POST',
        body: JSON.stringify({ [fieldFor(fields, media ?? mediaOf(input))]: url, ...params }),
        headers: {
          'content-type': 'application/json',
          'idempotency-key': options.idempotencyKey ?? crypto.randomUUID(),
          ...(authentication === 'subscription-key' && { 'ocp-apim-subscription-key': apiKey }),
          ...(options.webhookUrl !== undefined && { 'x-webhook-url': options.webhookUrl }),
        },
        ...(signal && { signal }),
      })) as { request_id: string };
      return await end(client, request_id, { ...(signal && { signal }), ...(onProgress && { onProgress }) });
    },
    async upload(file, signal) {
      const type = file.type || 'application/octet-stream';
      const init = { method: 'POST', body: file, headers: { 'content-type': type } };
      const uploaded = (await send('/uploads', { ...init, ...(signal && { signal }) })) as {
        upload_url: string;
      };
      return uploaded.upload_url;
    },
    async getJob(requestId, signal) {
      const path = `/v2/requests/status/${encodeURIComponent(requestId)}`;
      return (await send(path, signal ? { signal } : {})) as Job;
    },
    async cancel(requestId) {
      return (await send(`/v2/requests/${encodeURIComponent(requestId)}`, { method: 'DELETE' })) as Job;
    },
  };
  return client;
}

function mediaOf(input: string | Blob): Media | undefined {
  const [kind] = typeof input === 'string' ? [] : input.type.split('/');
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : undefined;
}

/** Returns the field for an input of a kind, or else the operation's first: the service then says what it reads. */
function fieldFor(fields: Partial<Record<Media, string>>, media: Media | undefined): string {
  return (media && fields[media]) ?? Object.values(fields)[0] ?? '';
}

async function end(
  client: Client,
  requestId: string,
  { signal, onProgress }: Pick<RunOptions, 'signal' | 'onProgress'>,
): Promise<Job> {
  try {
    for (let pauseMs = POLL_MS.first; ; pauseMs = Math.min(pauseMs * 1.5, POLL_MS.max)) {
      const job = await client.getJob(requestId, signal);
      onProgress?.(job);
      if (job.status === 'COMPLETED') return job;
      if (job.status === 'FAILED' || job.status === 'ERROR') throw new JobFailedError(job);
      await pause(pauseMs, signal);
    }
  } catch (thrown) {
    // It may have ended meanwhile: the caller learns of the abort either way.
    if (signal?.aborted) await client.cancel(requestId).catch(() => {});
    throw thrown;
  }
}
