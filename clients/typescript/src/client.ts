import { InvalidArgumentError } from './errors.ts';
import { allRequests, encodeId, jobEvents, statusPath, type WaitOptions, waitForJob } from './jobs.ts';
import { OPERATIONS } from './operations.ts';
import { createTransport, deleteQuietly, type Transport, type TransportOptions } from './transport.ts';
import type {
  BatchableId,
  BatchQuote,
  CompletedBatch,
  CompletedJob,
  Input,
  Job,
  JobSummary,
  Media,
  OperationId,
  ParamsOf,
  Quote,
  RequestList,
  RequestQuery,
  SharedParamsOf,
  Token,
  TokenLimits,
  Upload,
  UploadList,
  UploadQuery,
  Usage,
  UsageQuery,
  Wallet,
  WorkerList,
} from './types.ts';
import {
  inputField,
  type SentInput,
  sendInput,
  type UploadOptions,
  type UploadProgress,
  upload,
  withUploads,
} from './upload.ts';

export type ClientOptions = TransportOptions;

export interface RunOptions extends SubmitOptions, Pick<WaitOptions, 'onProgress' | 'pollMs'> {}

/**
 * Client of a service. Every method repeats a request after a lost connection or a status that may pass, and throws
 * ApiError, ConnectionError or the signal's reason.
 */
export interface Client {
  /**
   * Runs an operation, and waits for its end.
   * @throws JobFailedError
   */
  run<Id extends OperationId>(
    id: Id,
    input: Input,
    params: ParamsOf<Id>,
    options?: RunOptions & UploadOptions,
  ): Promise<CompletedJob>;
  /** Recipes: several operations on one input, as one job. */
  readonly pipelines: {
    /**
     * Runs a recipe, `{ steps, outputs }`, or a saved one, `{ preset, overrides }`, and waits for its end.
     * @throws JobFailedError
     */
    run(
      input: Input,
      recipe: ParamsOf<'pipeline'>,
      options?: RunOptions & UploadOptions,
    ): Promise<CompletedJob>;
  };
  /**
   * Runs an operation on many inputs as one job. `output.items` holds each result or error in order.
   * @throws JobFailedError
   */
  runBatch<Id extends BatchableId>(
    id: Id,
    items: readonly BatchItem<Id>[],
    shared?: SharedParamsOf<Id>,
    options?: RunOptions,
  ): Promise<CompletedBatch<Id>>;
  /** Sends a request. @returns its request_id, without waiting for the job where the operation has one to poll */
  submit<Id extends OperationId>(
    id: Id,
    input: Input,
    params: ParamsOf<Id>,
    options?: SubmitOptions & UploadOptions,
  ): Promise<string>;
  /** Sends a batch. @returns its request_id, without waiting for the job */
  submitBatch<Id extends BatchableId>(
    id: Id,
    items: readonly BatchItem<Id>[],
    shared?: SharedParamsOf<Id>,
    options?: SubmitOptions,
  ): Promise<string>;
  /** Waits for the end of a job, which continues when the signal aborts. @throws JobFailedError */
  wait(requestId: string, options?: WaitOptions): Promise<CompletedJob>;
  /** Yields each state of a job until it has ended, as it changes. Connects again when the stream breaks off. */
  events(requestId: string, signal?: AbortSignal): AsyncGenerator<Job, void, undefined>;
  /** Uploads a file. @returns a URL that works as the input of requests until it expires */
  upload(
    file: Blob,
    signal?: AbortSignal,
    onUpload?: (progress: UploadProgress) => void,
    expiresInHours?: number,
  ): Promise<string>;
  /** Returns a page of the account's uploads, newest first. */
  listUploads(query?: UploadQuery, signal?: AbortSignal): Promise<UploadList>;
  /** Deletes an upload. Jobs that were accepted with it keep its bytes. @throws NotFoundError */
  deleteUpload(uploadId: string): Promise<void>;
  /** Opens a result file, such as one of `output.media_url`. @throws NotFoundError once it has expired */
  download(url: string, signal?: AbortSignal): Promise<Response>;
  /** Returns a job. @throws NotFoundError */
  getJob(requestId: string, signal?: AbortSignal): Promise<Job>;
  /** Cancels a job. @throws ConflictError when it has ended */
  cancel(requestId: string): Promise<Job>;
  /** Deletes the files of an ended job from the service. @throws ConflictError while it runs */
  deleteOutput(requestId: string): Promise<void>;
  /** Returns a page of the account's requests, newest first. */
  listRequests(query?: RequestQuery, signal?: AbortSignal): Promise<RequestList>;
  /** Yields all of the account's requests, newest first. `limit` is the size of a page. */
  allRequests(query?: RequestQuery, signal?: AbortSignal): AsyncGenerator<JobSummary, void, undefined>;
  /** Returns the price of a request, and the engine that would run. A file is uploaded for it. Charges nothing. */
  quote<Id extends OperationId>(
    id: Id,
    input: Input,
    params: ParamsOf<Id>,
    options?: { readonly media?: Media; readonly signal?: AbortSignal },
  ): Promise<Quote>;
  /** Returns the prices of a batch and of its items, or the error of each. Files are uploaded for it. Charges nothing. */
  quoteBatch<Id extends BatchableId>(
    id: Id,
    items: readonly BatchItem<Id>[],
    shared?: SharedParamsOf<Id>,
    signal?: AbortSignal,
  ): Promise<BatchQuote>;
  /** Makes a short-lived token of the key, for a page or an app that must not have the key itself. */
  createToken(limits: TokenLimits, signal?: AbortSignal): Promise<Token>;
  /** Ends a token at once. Requests that it has sent continue. @throws NotFoundError */
  deleteToken(tokenId: string): Promise<void>;
  /** Returns the charges by day, operation and key. */
  usage(query?: UsageQuery, signal?: AbortSignal): Promise<Usage>;
  /** Returns the balance of the key's account. */
  wallet(signal?: AbortSignal): Promise<Wallet>;
  /** Returns the account's self-hosted workers, with when each was seen and what it runs. */
  workers(signal?: AbortSignal): Promise<WorkerList>;
}

/** Creates a client of a service. */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);
  const end = async <Result extends object = CompletedJob>(requestId: string, options: RunOptions) => {
    try {
      return (await waitForJob(transport, requestId, options)) as Result;
    } catch (thrown) {
      if (options.signal?.aborted) await cancelQuietly(transport, requestId);
      throw thrown;
    }
  };
  return {
    async run(id, input, params, { media, ...options } = {}) {
      return await end(await submitOne(transport, id, getItem(input, params, media), options), options);
    },
    pipelines: {
      async run(input, recipe, { media, ...options } = {}) {
        return await end(
          await submitOne(transport, 'pipeline', getItem(input, recipe, media), options),
          options,
        );
      },
    },
    async runBatch(id, items, shared = {} as never, options = {}) {
      return await end(await submitBatch(transport, id, { items, shared }, options), options);
    },
    submit: (id, input, params, { media, ...options } = {}) =>
      submitOne(transport, id, getItem(input, params, media), options),
    submitBatch: (id, items, shared = {} as never, options = {}) =>
      submitBatch(transport, id, { items, shared }, options),
    wait: (requestId, options = {}) => waitForJob(transport, requestId, options),
    events: (requestId, signal) => jobEvents(transport, requestId, signal),
    upload: async (file, signal, onUpload, expiresInHours) =>
      (await upload(transport, file, { signal, onUpload, expiresInHours })).upload_url,
    listUploads: (query, signal) => transport.json('/uploads', { query, signal }),
    async deleteUpload(uploadId) {
      await transport.open(`/uploads/${encodeId(uploadId)}`, { method: 'DELETE' });
    },
    download: (url, signal) => transport.open(url, { signal }),
    getJob: (requestId, signal) => transport.json(statusPath(requestId), { signal }),
    cancel: (requestId) => cancel(transport, requestId),
    async deleteOutput(requestId) {
      await transport.open(`${requestPath(requestId)}/output`, { method: 'DELETE' });
    },
    listRequests: (query, signal) => transport.json('/v2/requests', { query, signal }),
    allRequests: (query = {}, signal) => allRequests(transport, query, signal),
    quote: (id, input, params, { media, signal } = {}) =>
      quote(transport, id, signal, (uploads) =>
        requestBody(transport, id, getItem(input, params, media), { signal, uploads }),
      ),
    quoteBatch: (id, items, shared = {} as never, signal) =>
      quote(transport, `${id}-batch`, signal, (uploads) =>
        batchBody(transport, id, { items, shared }, { signal, uploads }),
      ),
    createToken: (limits, signal) => transport.json('/v2/tokens', { method: 'POST', body: limits, signal }),
    async deleteToken(tokenId) {
      await transport.open(`/v2/tokens/${encodeId(tokenId)}`, { method: 'DELETE' });
    },
    usage: (query, signal) => transport.json('/v2/usage', { query, signal }),
    wallet: (signal) => transport.json('/v2/wallet', { signal }),
    workers: (signal) => transport.json('/v2/workers', { signal }),
  };
}

function getItem<Id extends OperationId>(input: Input, params: ParamsOf<Id>, media?: Media): BatchItem<Id> {
  return { input, params, ...(media && { media }) };
}

/** Uploads of one batch at the same time. */
const UPLOADS_AT_ONCE = 4;

export interface SubmitOptions {
  /** Defaults to a random key, so that a retry never runs twice. Give your own to repeat a call in another process. */
  readonly idempotencyKey?: string | undefined;
  /** URL that receives the job once it has ended. */
  readonly webhookUrl?: string | undefined;
  /** `false` asks for a new run where the service has the result of the same request. */
  readonly cache?: boolean | undefined;
  /**
   * Kind of an input given by URL or stream, for operations that read several. Defaults to a file's own, or an image.
   */
  readonly media?: Media | undefined;
  /** Aborts the call, and cancels its job. */
  readonly signal?: AbortSignal | undefined;
  /** Called once the service has accepted the request. */
  readonly onAccepted?: ((acceptance: Acceptance) => void) | undefined;
}

/** Response to a request that the service has accepted. */
export interface Acceptance {
  readonly request_id: string;
  /** Whether the result of an earlier request is delivered again, at no charge. */
  readonly cached?: boolean;
}

/** Request of a batch. */
export interface BatchItem<Id extends OperationId> {
  readonly input: Input;
  readonly params?: ParamsOf<Id>;
  readonly media?: Media;
}

/** Uploads the input and builds the body of a request. */
async function requestBody<Id extends OperationId>(
  transport: Transport,
  id: Id,
  { input, params, media }: BatchItem<Id>,
  { uploads, ...options }: UploadOptions & { readonly uploads: Upload[] },
): Promise<object> {
  const { fields } = getOperation(id);
  const sent: SentInput = await sendInput(transport, input, uploads, options);
  return { ...inputField(fields, { ...sent, media: media ?? sent.media }), ...params };
}

/** Sends a request. @returns the request_id of its job */
async function submitOne<Id extends OperationId>(
  transport: Transport,
  id: Id,
  item: BatchItem<Id>,
  options: SubmitOptions & UploadOptions,
): Promise<string> {
  const { path } = getOperation(id);
  return await withUploads(transport, async (uploads) => {
    const body = await requestBody(transport, id, item, { ...options, uploads });
    return await submit(transport, { id, path, body }, options);
  });
}

/** Requests of a batch, and the params that they share. */
interface Batch<Id extends BatchableId> {
  readonly items: readonly BatchItem<Id>[];
  readonly shared: SharedParamsOf<Id>;
}

/** Uploads the inputs and builds the body of a batch. */
async function batchBody<Id extends BatchableId>(
  transport: Transport,
  id: Id,
  { items, shared }: Batch<Id>,
  options: UploadOptions & { readonly uploads: Upload[] },
): Promise<object> {
  const bodies: object[] = [];
  const waiting = [...items.entries()];
  // After a failure the other uploads are of no use.
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
  const work = async () => {
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [at, item] = next;
        bodies[at] = await requestBody(transport, id, item, { ...options, signal });
      }
    } catch (thrown) {
      stop.abort(thrown);
      throw thrown;
    }
  };
  // Each has ended before the caller deletes what was uploaded.
  const ends = await Promise.allSettled(Array.from({ length: UPLOADS_AT_ONCE }, work));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return { items: bodies, ...shared };
}

/** Sends a batch. @returns the request_id of its job */
async function submitBatch<Id extends BatchableId>(
  transport: Transport,
  id: Id,
  batch: Batch<Id>,
  options: SubmitOptions,
): Promise<string> {
  const { batchPath: path } = getOperation(id);
  if (!path) throw new InvalidArgumentError(`model_id: "${id}" has no batches.`);
  const { signal } = options;
  return await withUploads(transport, async (uploads) => {
    const body = await batchBody(transport, id, batch, { signal, uploads });
    return await submit(transport, { id, path, body }, options);
  });
}

/** Asks for the price of a request. @param build uploads its files and builds its body */
async function quote<Result extends Quote | BatchQuote>(
  transport: Transport,
  modelId: string,
  signal: AbortSignal | undefined,
  build: (uploads: Upload[]) => Promise<object>,
): Promise<Result> {
  return await withUploads(transport, async (uploads) => {
    const body = { model_id: modelId, request: await build(uploads) };
    return await transport.json('/v2/quotes', { method: 'POST', body, signal });
  });
}

interface Submission {
  readonly id: OperationId;
  readonly path: string;
  readonly body: object;
}

async function submit(
  transport: Transport,
  { id, path, body }: Submission,
  { signal, idempotencyKey, webhookUrl, cache = true, onAccepted }: SubmitOptions,
): Promise<string> {
  const { authentication, ...operation } = getOperation(id);
  const isDirect = 'isDirect' in operation;
  signal?.throwIfAborted();
  const accepted = await transport.json<Acceptance>(path, {
    method: 'POST',
    body,
    headers: {
      'idempotency-key': idempotencyKey ?? crypto.randomUUID(),
      prefer: 'respond-async',
      ...(authentication === 'subscription-key' &&
        transport.apiKey !== null && { 'ocp-apim-subscription-key': transport.apiKey }),
      ...(!cache && { 'cache-control': 'no-cache' }),
      ...(webhookUrl !== undefined && { 'x-webhook-url': webhookUrl }),
    },
    // Only the response names the job that an abort must cancel. A direct one ends with its request.
    ...(isDirect && { signal }),
  });
  const { request_id } = accepted;
  onAccepted?.(accepted);
  if (signal?.aborted) await cancelQuietly(transport, request_id);
  signal?.throwIfAborted();
  return request_id;
}

/** Cancels a job whose caller has left. It may have ended by then; the caller learns of the abort either way. */
async function cancelQuietly(transport: Transport, requestId: string): Promise<void> {
  await deleteQuietly(transport, requestPath(requestId));
}

/** Cancels a job. @throws ConflictError when it has ended */
async function cancel(transport: Transport, requestId: string): Promise<Job> {
  return await transport.json(requestPath(requestId), { method: 'DELETE' });
}

function requestPath(requestId: string): string {
  return `/v2/requests/${encodeId(requestId)}`;
}

/** Returns what the client knows of an operation. @throws InvalidArgumentError for an unknown model */
function getOperation<Id extends OperationId>(id: Id): (typeof OPERATIONS)[Id] {
  if (Object.hasOwn(OPERATIONS, id)) return OPERATIONS[id];
  const known = Object.keys(OPERATIONS).join(', ');
  throw new InvalidArgumentError(`model_id: "${id}" must be one of ${known}.`);
}
