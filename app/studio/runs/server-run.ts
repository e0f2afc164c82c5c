import {
  type Acceptance,
  ApiError,
  type Client,
  createClient,
  type Fetch,
  type Job,
  JobFailedError,
  type Media,
  type ParamsOf,
} from '../../../clients/typescript/src/index.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts, InputField } from '../../../models/core/operation/inputs.ts';
import type { RunResult } from '../../../models/core/operation/run-result.ts';
import type { ReportProgress } from '../../../models/core/runtime/progress.ts';
import type { RunnableId } from '../../../models/registry.ts';
import { getFailure, ServerError } from '../failures/server-error.ts';

/** Current step of a run, in the visitor's words. */
export type ServerStep = 'sending' | 'waiting' | 'working' | 'fetching';

type OnServerProgress = (fraction: number, step: ServerStep) => void;

export interface ServerRunOptions {
  /** Origin of the service: that of the page. */
  readonly origin: string;
  /** Sends requests; `fetchWithProgress` in a browser. */
  readonly fetch?: Fetch;
  readonly operation: Pick<Operation<RunnableId>, 'id' | 'inputs' | 'limits'>;
  readonly file: Blob;
  readonly params: object;
  /** URL of the file, where it is uploaded already. */
  readonly uploadUrl?: string | undefined;
  /** Stops the waiting, and cancels the job that the server has accepted: it is not charged then. */
  readonly signal: AbortSignal;
  /** Receives the progress of the whole run: upload, job and download. */
  readonly onProgress?: ReportProgress;
}

export interface ServerResult extends Pick<RunResult, 'files' | 'details'> {
  /** Sentences. */
  readonly warnings: readonly string[];
  readonly engine: string;
  /** Price as a decimal string in US dollars. */
  readonly chargedUsd: string;
}

/** Beyond the longest wait that the server asks for, the visitor learns of the delay instead. */
const RETRY = { firstPauseMs: 1_000, retryAfterMsMax: 15_000 };
/** Short pauses between looks at the job first, for one that takes less than a second. */
const POLL_MS = { first: 200, max: 1_000 };
/** End of each step on the run's single progress scale. */
const PROGRESS = { uploaded: 0.4, worked: 0.85 } as const;

/** One run on its way. */
interface ServerRun extends ServerRunOptions {
  readonly client: Client;
  readonly report: OnServerProgress;
}

/**
 * Runs an operation on the server, for a price that the wallet of the signed-in account pays: uploads the file, submits
 * the job, waits for it and downloads the files.
 * @throws OperationError with the server's message; `unprocessable` when the job failed by its input, `internal` when
 *   it failed otherwise (neither costs anything), `unavailable` when the server cannot be reached, `cancelled` by
 *   `signal`. From the submission on, whatever does not come from the job itself is `unavailable` and says what
 *   becomes of the job.
 */
export async function runJob(options: ServerRunOptions): Promise<ServerResult> {
  return await withClient(options, async (run) => {
    const uploadUrl = options.uploadUrl ?? (await upload(run));
    const { job, isCached } = await awaitJob(run, uploadUrl);
    const result = await download(run, job, uploadUrl);
    // A result that an earlier request paid for is free.
    return isCached ? { ...result, chargedUsd: '0.00' } : result;
  });
}

/** File on the server that no run has used yet. */
export interface MeasuredUpload {
  readonly uploadUrl: string;
  readonly facts: InputFacts;
}

/** Uploads a file and lets the server measure it, at no charge. @throws OperationError as `runJob` before its job */
export async function measureOnServer(options: ServerRunOptions): Promise<MeasuredUpload> {
  return await withClient(options, async (run) => {
    const { client, operation, file, params, signal } = run;
    const uploadUrl = await upload(run);
    const given = params as ParamsOf<RunnableId>;
    const media = getMedia(file);
    const quote = await client.quote(operation.id, uploadUrl, given, { signal, ...(media && { media }) });
    return { uploadUrl, facts: quote.facts as InputFacts };
  });
}

async function withClient<Result>(
  options: ServerRunOptions,
  work: (run: ServerRun) => Promise<Result>,
): Promise<Result> {
  const { origin, fetch, signal, onProgress = () => {} } = options;
  // Requests carry the visitor's session.
  const client = createClient({ apiKey: null, origin, retry: RETRY, ...(fetch && { fetch }) });
  try {
    return await work({ ...options, client, report: rising(onProgress) });
  } catch (thrown) {
    if (!signal.aborted) throw getFailure(thrown);
    throw new OperationError('cancelled', 'The run was cancelled.', { cause: thrown });
  }
}

const UNCONFIRMED =
  'Our server did not confirm the job. If it has arrived there, it continues and is charged if it succeeds.';
const JOB_UNKNOWN =
  'Our server no longer reports on the job. The job continues there and is charged if it succeeds.';
const NOT_FETCHED =
  'The job on our server succeeded and is charged, but its result could not be fetched. Another run may be charged again.';

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

async function upload({ client, operation, file, signal, report }: ServerRun): Promise<string> {
  report(0, 'sending');
  const { bytesMax = operation.limits.inputBytesMax } = inputField(operation, file);
  if (file.size > bytesMax) {
    throw new ServerError('too_large', `The file has ${file.size} bytes; at most ${bytesMax} can be sent.`);
  }
  const url = await client.upload(file, signal, ({ sentBytes, totalBytes }) =>
    report((PROGRESS.uploaded * sentBytes) / Math.max(1, totalBytes), 'sending'),
  );
  report(PROGRESS.uploaded, 'waiting');
  return url;
}

interface EndedJob {
  readonly job: Job;
  readonly isCached: boolean;
}

/** Submits the job and waits for its end. */
async function awaitJob(run: ServerRun, uploadUrl: string): Promise<EndedJob> {
  const { client, operation, file, params, signal, report } = run;
  const seen: { acceptance?: Acceptance } = {};
  const options = {
    media: getMedia(file),
    signal,
    pollMs: POLL_MS,
    onAccepted(acceptance: Acceptance) {
      seen.acceptance = acceptance;
    },
    onProgress({ status, progress }: Job) {
      const worked = PROGRESS.uploaded + (PROGRESS.worked - PROGRESS.uploaded) * progress;
      report(worked, status === 'QUEUED' ? 'waiting' : 'working');
    },
  };
  try {
    // The form follows the operation's own schema.
    const job = await client.run(operation.id, uploadUrl, params as ParamsOf<RunnableId>, options);
    return { job, isCached: seen.acceptance?.cached === true };
  } catch (thrown) {
    if (thrown instanceof JobFailedError) throw jobFailure(thrown.job);
    if (seen.acceptance) throw unavailable(JOB_UNKNOWN, thrown);
    // Only a request without a response may have become a job.
    throw thrown instanceof ApiError ? thrown : unavailable(UNCONFIRMED, thrown);
  }
}

function jobFailure({ status, error }: Job): ServerError {
  return new ServerError(status === 'FAILED' ? 'unprocessable' : 'internal', error ?? 'The job failed.');
}

function unavailable(message: string, cause: unknown): OperationError {
  return new OperationError('unavailable', message, { cause });
}

/** Downloads the files of a job. Without them, the visitor learns that it is charged all the same. */
async function download(run: ServerRun, job: Job, uploadUrl: string): Promise<ServerResult> {
  const { client, origin, signal, report } = run;
  const { output, warnings, engine, billing } = job;
  if (output === null) throw jobFailure(job);
  const files = [];
  report(PROGRESS.worked, 'fetching');
  for (const url of output.media_url) {
    const blob = await client
      .download(ownAddress(url, uploadUrl, origin), signal)
      .then((response) => response.blob())
      .catch((thrown) => {
        throw unavailable(NOT_FETCHED, thrown);
      });
    // The job names one type for all of its files.
    files.push({ name: nameIn(url), mediaType: blob.type || output.media_type, blob });
    report(PROGRESS.worked + ((1 - PROGRESS.worked) * files.length) / output.media_url.length, 'fetching');
  }
  return {
    files,
    warnings,
    engine: engine ?? 'server',
    details: getDetails(output),
    chargedUsd: billing.charged_usd,
  };
}

type Details = NonNullable<RunResult['details']>;

/** Returns what a run found, in the form of a run on the device: of a recipe by its steps. */
function getDetails({ result, steps, stopped_by }: NonNullable<Job['output']>): Details {
  const ofSteps = { steps, ...(stopped_by !== undefined && { stopped_by }) };
  return (result ?? (steps ? ofSteps : {})) as Details;
}

/**
 * Returns a service file's URL under the origin of this page. The service names files by its public origin, and a
 * page may contact no origin but its own.
 */
function ownAddress(url: string, uploadUrl: string, origin: string): string {
  const publicBase = uploadUrl.slice(0, uploadUrl.lastIndexOf('/api/'));
  return url.startsWith(`${publicBase}/cdn/`) ? origin + url.slice(publicBase.length) : url;
}

/** Returns the input field for the file's kind of media. */
function inputField({ inputs }: ServerRunOptions['operation'], file: Blob): InputField {
  const fields = Object.values<InputField>(inputs).filter(({ encoding }) => encoding === 'url');
  const media = getMedia(file);
  const field = fields.find((field) => media && field.media.includes(media)) ?? fields[0];
  if (!field) throw new OperationError('internal', 'The operation accepts no file.');
  return field;
}

function getMedia({ type }: Blob): Media | undefined {
  return (['image', 'video', 'audio'] as const).find((kind) => type.startsWith(`${kind}/`));
}

function nameIn(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? 'output');
}
