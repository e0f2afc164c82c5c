import type { InputField, Operation, RunResult } from '../../../models/operation/define-operation.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import { createRequestId, isTerminal } from '../../../models/operation/job.ts';
import type { JobView } from '../../../models/operation/job-view.ts';
import type { ReportProgress } from '../../../models/runtime/progress.ts';
import { isServerError, ServerError } from './server-error.ts';
import { callService, pause } from './service-call.ts';

/** `fetch` for a POST with upload progress, 0 to 1. */
export type SendFile = (
  url: string,
  request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Blob;
    readonly signal: AbortSignal;
    onProgress(fraction: number): void;
  },
) => Promise<Response>;

/** Current step of a run, in the visitor's words. */
export type ServerStep = 'sending' | 'waiting' | 'working' | 'fetching';

type OnServerProgress = (fraction: number, step: ServerStep) => void;

export interface ServerRunOptions {
  /** API root without a trailing slash: `/api` from the service's own pages. */
  readonly baseUrl: string;
  readonly operation: Pick<Operation, 'path' | 'inputs' | 'limits'>;
  readonly file: Blob;
  readonly params: object;
  /** Stops the waiting, and cancels the job that the server has accepted: it is not charged then. */
  readonly signal: AbortSignal;
  /** Receives the progress of the whole run: upload, job and download. */
  readonly onProgress?: ReportProgress;
  readonly sendFile: SendFile;
}

export interface ServerResult extends Pick<RunResult, 'files' | 'details'> {
  /** Sentences. */
  readonly warnings: readonly string[];
  readonly engine: string;
  /** Price as a decimal string in US dollars. */
  readonly chargedUsd: string;
}

/** Pauses between looks at the job: short ones first, for a job that takes less than a second. The last one repeats. */
const POLL_PAUSES_MS = [200, 300, 500, 1_000];
/** Time that the server has to confirm that a job is cancelled. */
const CANCEL_MS = 5_000;
/** End of each step on the run's single progress scale. */
const PROGRESS = { uploaded: 0.4, worked: 0.85 } as const;

/**
 * Runs an operation on the server, for a price that the wallet of who is signed in pays: uploads the file, submits the job, waits for it and downloads the
 * files. Retries network faults for some seconds, and still submits the job only once.
 * @throws OperationError with the server's message; `unprocessable` when the job failed by its input, `internal` when
 *   it failed otherwise (neither costs anything), `unavailable` when the server cannot be reached, `cancelled` by
 *   `signal`. From the submission on, whatever does not come from the job itself is `unavailable` and says what
 *   becomes of the job.
 */
export async function runOnServer(options: ServerRunOptions): Promise<ServerResult> {
  const report = rising(options.onProgress ?? (() => {}));
  try {
    const uploadUrl = await upload(options, report);
    const { id, isCached } = await submit(options, uploadUrl).catch(rejectUnlessAnswered);
    const job = await ended(options, id, report).catch(async (thrown) => {
      if (options.signal.aborted) await cancel(options, id);
      return rejectWith(JOB_UNKNOWN)(thrown);
    });
    assertSucceeded(job);
    const result = await download(options, job, uploadUrl, report).catch(rejectWith(NOT_FETCHED));
    return isCached ? { ...result, chargedUsd: '0.00' } : result;
  } catch (thrown) {
    if (!options.signal.aborted) throw thrown;
    throw new OperationError('cancelled', 'The run was cancelled.', { cause: thrown });
  }
}

const UNCONFIRMED =
  'Our server did not confirm the job. If it has arrived there, it continues and is charged if it succeeds.';
const JOB_UNKNOWN =
  'Our server no longer reports on the job. The job continues there and is charged if it succeeds.';
const NOT_FETCHED =
  'The job on our server succeeded and is charged, but its result could not be fetched. Another run may be charged again.';

/** Returns a handler of failures that says what becomes of the job. */
const rejectWith = (message: string) => (cause: unknown) => {
  throw new OperationError('unavailable', message, { cause });
};

/** Leaves a refusal by the server as it is: only a request without a response may have become a job. */
function rejectUnlessAnswered(thrown: unknown): never {
  if (isServerError(thrown)) throw thrown;
  return rejectWith(UNCONFIRMED)(thrown);
}

function rising(onProgress: ReportProgress): OnServerProgress {
  let most = 0;
  let last: ServerStep | undefined;
  return (fraction, step) => {
    if (fraction <= most && step === last) return;
    most = Math.max(most, fraction);
    last = step;
    onProgress({ fraction: most, step });
  };
}

async function upload(
  { baseUrl, operation, file, signal, sendFile }: ServerRunOptions,
  report: OnServerProgress,
): Promise<string> {
  report(0, 'sending');
  const [, { bytesMax = operation.limits.inputBytesMax }] = inputField(operation, file);
  if (file.size > bytesMax) {
    throw new ServerError('too_large', `The file has ${file.size} bytes; at most ${bytesMax} can be sent.`);
  }
  const request = {
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
    signal,
    onProgress: (fraction: number) => report(PROGRESS.uploaded * fraction, 'sending'),
  };
  const response = await callService(() => sendFile(`${baseUrl}/uploads`, request), signal);
  report(PROGRESS.uploaded, 'waiting');
  const { upload_url } = (await response.json()) as { upload_url: string };
  return upload_url;
}

/** Submits the job. The response names it at once, so that it can be cancelled; only verdicts are waited for. */
async function submit(
  options: ServerRunOptions,
  uploadUrl: string,
): Promise<{ id: string; isCached: boolean }> {
  const { baseUrl, operation, file, params, signal } = options;
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      prefer: 'respond-async',
      // A retry after a lost response gets the same job.
      'idempotency-key': createRequestId('studio', Date.now()),
    },
    body: JSON.stringify({ ...params, [inputField(operation, file)[0]]: uploadUrl }),
    signal,
  };
  const response = await callService(() => fetch(baseUrl + operation.path, request), signal);
  const answer = (await response.json()) as { request_id: string; cached?: boolean };
  // A result that an earlier request paid for is free.
  return { id: answer.request_id, isCached: answer.cached === true };
}

async function ended(
  { baseUrl, signal }: ServerRunOptions,
  id: string,
  report: OnServerProgress,
): Promise<JobView> {
  const url = `${baseUrl}/v2/requests/status/${id}`;
  for (let look = 0; ; look++) {
    const response = await callService(() => fetch(url, { signal }), signal);
    const job = (await response.json()) as JobView;
    if (isTerminal(job.status)) return job;
    const worked = PROGRESS.uploaded + (PROGRESS.worked - PROGRESS.uploaded) * job.progress;
    report(worked, job.status === 'QUEUED' ? 'waiting' : 'working');
    await pause(POLL_PAUSES_MS[look] ?? POLL_PAUSES_MS.at(-1) ?? 0, signal);
  }
}

/** Cancels a job as well as possible: one that has just ended is as it is. The tab may close meanwhile. */
async function cancel({ baseUrl }: ServerRunOptions, id: string): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_MS);
  await fetch(`${baseUrl}/v2/requests/${id}`, { method: 'DELETE', keepalive: true, signal }).catch(() => {});
}

type SucceededJob = JobView & { readonly output: NonNullable<JobView['output']> };

/** @throws ServerError with the job's own reason when it failed */
function assertSucceeded(job: JobView): asserts job is SucceededJob {
  if (job.output !== null) return;
  const code = job.status === 'FAILED' ? 'unprocessable' : 'internal';
  throw new ServerError(code, job.error ?? 'The job failed.');
}

async function download(
  { baseUrl, signal }: ServerRunOptions,
  job: SucceededJob,
  uploadUrl: string,
  report: OnServerProgress,
): Promise<ServerResult> {
  const { output } = job;
  const files = [];
  report(PROGRESS.worked, 'fetching');
  for (const url of output.media_url) {
    const address = ownAddress(url, uploadUrl, baseUrl);
    const response = await callService(() => fetch(address, { signal }), signal);
    const blob = await response.blob();
    // The job names one type for all of its files.
    files.push({ name: nameIn(url), mediaType: blob.type || output.media_type, blob });
    report(PROGRESS.worked + ((1 - PROGRESS.worked) * files.length) / output.media_url.length, 'fetching');
  }
  return {
    files,
    warnings: job.warnings,
    engine: job.engine ?? 'server',
    details: (output.result ?? {}) as NonNullable<RunResult['details']>,
    chargedUsd: job.billing.charged_usd,
  };
}

/**
 * Returns a service file's URL under the origin of this page. The service names files by its public origin, and a
 * page may contact no origin but its own.
 */
function ownAddress(url: string, uploadUrl: string, baseUrl: string): string {
  const publicBase = uploadUrl.slice(0, uploadUrl.lastIndexOf('/api/'));
  return url.startsWith(`${publicBase}/cdn/`)
    ? baseUrl.replace(/\/api$/, '') + url.slice(publicBase.length)
    : url;
}

/** Returns the input field for the file's kind of media. */
function inputField({ inputs }: ServerRunOptions['operation'], file: Blob): [name: string, InputField] {
  const fields = Object.entries(inputs).filter(([, { encoding }]) => encoding === 'url');
  const field =
    fields.find(([, { media }]) => media.some((kind) => file.type.startsWith(`${kind}/`))) ?? fields[0];
  if (!field) throw new OperationError('internal', 'The operation accepts no file.');
  return field;
}

function nameIn(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? 'output');
}
