import { ApiError, ConnectionError, InvalidArgumentError } from './errors.ts';
import { deleteQuietly, pause, type Transport } from './transport.ts';
import type { Input, Media, Upload } from './types.ts';

/** Input that a request can name: a URL, and the kind of its file where it is known. */
export interface SentInput {
  readonly url: string;
  readonly media: Media | undefined;
}

/**
 * Uploads a file, or passes a URL on. A stream becomes a Blob first, so that a lost connection can be repeated.
 * @param uploads receives what was uploaded
 * @throws InvalidArgumentError for what is neither
 */
export async function sendInput(
  transport: Transport,
  input: Input,
  uploads: Upload[],
  options: UploadOptions,
): Promise<SentInput> {
  if (typeof input === 'string') return { url: input, media: undefined };
  if (input instanceof URL) return { url: input.href, media: undefined };
  const file = input instanceof Blob ? input : await readStream(input);
  const uploaded = await upload(transport, file, options);
  uploads.push(uploaded);
  return { url: uploaded.upload_url, media: getMedia(file) };
}

async function readStream(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  // Without types anything may come, and a Response makes a text of it.
  const isStream = stream instanceof ReadableStream || Symbol.asyncIterator in Object(stream);
  if (isStream) return await new Response(stream).blob();
  throw new InvalidArgumentError('input: must be a URL, a Blob or a stream.');
}

/**
 * Returns the request fields of an input: that of its kind, or else the operation's first. The service then says what
 * it reads.
 * @param fields of the operation, by kind
 */
export function inputField(
  fields: Partial<Record<Media, string>>,
  { url, media }: SentInput,
): Record<string, string> {
  const name = (media && fields[media]) ?? Object.values(fields)[0] ?? '';
  return { [name]: url };
}

function getMedia({ type }: Blob): Media | undefined {
  const [kind] = type.split('/');
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : undefined;
}

/** Size from which a file is sent in parts, and that of each part. */
const PART_BYTES = 16 * 1024 * 1024;
/** Attempts in a row that bring no byte further. */
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 500;
const CONFLICT = 409;
const NAME_LENGTH_MAX = 255;

/** Bytes of a file that have been sent. */
export interface UploadProgress {
  /** After a lost connection, this falls back to what has arrived. */
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hours for which the service keeps the file, 1 to 720. Defaults to 24. */
  readonly expiresInHours?: number | undefined;
  /**
   * Called as bytes of a file are sent: after each part of 16 MiB, or more often with `fetchWithProgress` of
   * `@darkroom/client/browser`. An input given by URL is not uploaded.
   */
  readonly onUpload?: ((progress: UploadProgress) => void) | undefined;
}

/** Uploads a file. A large one resumes after a lost connection; one that fails or is aborted is deleted from the service. */
export async function upload(transport: Transport, file: Blob, options: UploadOptions = {}): Promise<Upload> {
  const { signal, onUpload, expiresInHours } = options;
  const fields = {
    // Results are named after it.
    ...(file instanceof File && file.name !== '' && { name: file.name.slice(0, NAME_LENGTH_MAX) }),
    ...(expiresInHours !== undefined && { expires_in_hours: expiresInHours }),
  };
  const onSent = onUpload && ((sentBytes: number) => onUpload({ sentBytes, totalBytes: file.size }));
  if (file.size > PART_BYTES) return await uploadInParts(transport, { file, fields, onSent, signal });
  const headers = { 'content-type': file.type || 'application/octet-stream' };
  const call = { method: 'POST', body: file, query: fields, headers, onSent, signal } as const;
  const uploaded = await transport.json<Upload>('/uploads', call);
  onSent?.(file.size);
  return uploaded;
}

/**
 * Does work that uploads files for one request, and deletes them from the service afterwards: a job that was accepted
 * keeps their bytes.
 */
export async function withUploads<Result>(
  transport: Transport,
  work: (uploads: Upload[]) => Promise<Result>,
): Promise<Result> {
  const uploads: Upload[] = [];
  try {
    return await work(uploads);
  } finally {
    await Promise.all(
      uploads.map(({ upload_id: id }) => deleteQuietly(transport, `/uploads/${encodeURIComponent(id)}`)),
    );
  }
}

interface Sending {
  readonly file: Blob;
  /** Description of the file, in the API's names. */
  readonly fields: { readonly name?: string; readonly expires_in_hours?: number };
  readonly onSent: ((bytes: number) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

async function uploadInParts(transport: Transport, sending: Sending): Promise<Upload> {
  const { file, fields, signal } = sending;
  const body = { bytes: file.size, ...fields };
  const started = await transport.json<Upload>('/v2/uploads', { method: 'POST', body, signal });
  const path = new URL(started.parts_url).pathname.replace(/^.*\/api\//, '/');
  try {
    await sendParts(transport, path, sending);
  } catch (thrown) {
    // Its caller has no name of it.
    await deleteQuietly(transport, path);
    throw thrown;
  }
  return started;
}

async function sendParts(transport: Transport, path: string, sending: Sending): Promise<void> {
  const { file, onSent, signal } = sending;
  let attempts = 0;
  for (let offset = 0; offset < file.size; ) {
    const reached = await sendPart(transport, path, { ...sending, offset });
    onSent?.(reached);
    if (reached > offset) attempts = 0;
    else if (++attempts === ATTEMPTS_MAX) throw new ConnectionError('The upload does not get any further.');
    else await pause(PAUSE_MS * 2 ** attempts, signal);
    offset = reached;
  }
}

interface Part extends Sending {
  readonly offset: number;
}

/** Sends the next part. Returns how many bytes of the file the service has then. */
async function sendPart(
  transport: Transport,
  path: string,
  { file, offset, onSent, signal }: Part,
): Promise<number> {
  const call = {
    method: 'PATCH',
    body: file.slice(offset, offset + PART_BYTES),
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    onSent: onSent && ((bytes: number) => onSent(offset + bytes)),
    signal,
  } as const;
  try {
    return getOffset(await transport.open(path, call));
  } catch (thrown) {
    // A part that was repeated after a lost connection finds that some of it has arrived.
    const isBroken =
      thrown instanceof ConnectionError || (thrown instanceof ApiError && thrown.status === CONFLICT);
    if (!isBroken) throw thrown;
    return getOffset(await transport.open(path, { method: 'HEAD', signal }));
  }
}

function getOffset({ headers }: Response): number {
  const offset = Number(headers.get('upload-offset') ?? Number.NaN);
  if (Number.isSafeInteger(offset)) return offset;
  throw new ConnectionError('The service did not say how much of the upload has arrived.');
}
