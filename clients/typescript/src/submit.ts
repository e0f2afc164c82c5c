import { deleteQuietly } from './delete-quietly.ts';
import { inputField, type SentInput, sendInput } from './input.ts';
import { OPERATIONS } from './operations.ts';
import type { Transport } from './transport.ts';
import type { BatchableId, Input, Job, Media, OperationId, ParamsOf, SharedParamsOf } from './types.ts';
import type { UploadOptions } from './upload.ts';

/** Uploads of one batch at the same time. */
const UPLOADS_AT_ONCE = 4;

export interface SubmitOptions {
  /** Defaults to a random key, so that a retry never runs twice. Give your own to repeat a call in another process. */
  readonly idempotencyKey?: string | undefined;
  /** URL that receives the job once it has ended. */
  readonly webhookUrl?: string | undefined;
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
  /** Whether it names an earlier job, whose result is returned at no charge. */
  readonly cached?: boolean;
}

/** Request of a batch. */
export interface BatchItem<Id extends OperationId> {
  readonly input: Input;
  readonly params?: ParamsOf<Id>;
  readonly media?: Media;
}

/** Uploads the input and builds the body of a request. */
export async function requestBody<Id extends OperationId>(
  transport: Transport,
  id: Id,
  { input, params, media }: BatchItem<Id>,
  options: UploadOptions,
): Promise<object> {
  const sent: SentInput = await sendInput(transport, input, options);
  return { ...inputField(id, { ...sent, media: media ?? sent.media }), ...params };
}

/** Sends a request. @returns the request_id of its job */
export async function submitOne<Id extends OperationId>(
  transport: Transport,
  id: Id,
  item: BatchItem<Id>,
  options: SubmitOptions & UploadOptions,
): Promise<string> {
  const { path } = OPERATIONS[id];
  const body = await requestBody(transport, id, item, options);
  return await submit(transport, { id, path, body }, options);
}

/** Sends a batch. @returns the request_id of its job */
export async function submitBatch<Id extends BatchableId>(
  transport: Transport,
  id: Id,
  { items, shared }: { readonly items: readonly BatchItem<Id>[]; readonly shared: SharedParamsOf<Id> },
  options: SubmitOptions,
): Promise<string> {
  const { batchPath: path } = OPERATIONS[id];
  const bodies: object[] = [];
  const waiting = [...items.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, item] = next;
      bodies[at] = await requestBody(transport, id, item, { signal: options.signal });
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, work));
  return await submit(transport, { id, path, body: { items: bodies, ...shared } }, options);
}

interface Submission {
  readonly id: OperationId;
  readonly path: string;
  readonly body: object;
}

async function submit(
  transport: Transport,
  { id, path, body }: Submission,
  { signal, idempotencyKey, webhookUrl, onAccepted }: SubmitOptions,
): Promise<string> {
  const { authentication, ...operation } = OPERATIONS[id];
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

/** Cancels a job whose caller has left. It may have ended meanwhile: the caller learns of the abort either way. */
export async function cancelQuietly(transport: Transport, requestId: string): Promise<void> {
  await deleteQuietly(transport, requestPath(requestId));
}

/** Cancels a job. @throws ConflictError when it has ended */
export async function cancel(transport: Transport, requestId: string): Promise<Job> {
  return await transport.json(requestPath(requestId), { method: 'DELETE' });
}

function requestPath(requestId: string): string {
  return `/v2/requests/${encodeURIComponent(requestId)}`;
}
