import { inputField, type SentInput, sendInput } from './input.ts';
import { OPERATIONS } from './operations.ts';
import type { Transport } from './transport.ts';
import type {
  Accepted,
  BatchableId,
  Input,
  Job,
  Media,
  OperationId,
  ParamsOf,
  SharedParamsOf,
} from './types.ts';

/** Uploads of one batch at the same time. */
const UPLOADS_AT_ONCE = 4;

export interface SubmitOptions {
  /** Defaults to a random key, so that a retry never runs twice. Give your own to repeat a call in another process. */
  readonly idempotencyKey?: string | undefined;
  /** URL that receives the job once it has ended. */
  readonly webhookUrl?: string | undefined;
  /** Kind of an input given by URL or stream, for operations that read several. Defaults to a file's own, or an image. */
  readonly media?: Media | undefined;
  /** Aborts the call, and cancels its job. */
  readonly signal?: AbortSignal | undefined;
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
  signal?: AbortSignal,
): Promise<object> {
  const sent: SentInput = await sendInput(transport, input, signal);
  return { ...inputField(id, { ...sent, media: media ?? sent.media }), ...params };
}

/** Sends a request. @returns the request_id of its job */
export async function submitOne<Id extends OperationId>(
  transport: Transport,
  id: Id,
  item: BatchItem<Id>,
  options: SubmitOptions,
): Promise<string> {
  const { path } = OPERATIONS[id];
  const body = await requestBody(transport, id, item, options.signal);
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
      bodies[at] = await requestBody(transport, id, item, options.signal);
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
  { signal, idempotencyKey, webhookUrl }: SubmitOptions,
): Promise<string> {
  const { authentication, ...operation } = OPERATIONS[id];
  const isDirect = 'isDirect' in operation;
  signal?.throwIfAborted();
  const { request_id } = await transport.json<Pick<Accepted, 'request_id'>>(path, {
    method: 'POST',
    body,
    headers: {
      'idempotency-key': idempotencyKey ?? crypto.randomUUID(),
      prefer: 'respond-async',
      ...(authentication === 'subscription-key' && { 'ocp-apim-subscription-key': transport.apiKey }),
      ...(webhookUrl !== undefined && { 'x-webhook-url': webhookUrl }),
    },
    // Only the response names the job that an abort must cancel. A direct one ends with its request.
    ...(isDirect && { signal }),
  });
  if (signal?.aborted) await cancelQuietly(transport, request_id);
  signal?.throwIfAborted();
  return request_id;
}

/** Cancels a job whose caller has left. It may have ended meanwhile: the caller learns of the abort either way. */
export async function cancelQuietly(transport: Transport, requestId: string): Promise<void> {
  await cancel(transport, requestId).catch(() => {});
}

/** Cancels a job. @throws ConflictError when it has ended */
export async function cancel(transport: Transport, requestId: string): Promise<Job> {
  return await transport.json(`/v2/requests/${encodeURIComponent(requestId)}`, { method: 'DELETE' });
}
