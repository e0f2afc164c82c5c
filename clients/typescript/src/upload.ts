import { ApiError, ConnectionError } from './errors.ts';
import { pause } from './send.ts';
import type { Transport } from './transport.ts';
import type { Upload } from './types.ts';

/** Size from which a file is sent in parts, and that of each part. */
const PART_BYTES = 16 * 1024 * 1024;
/** Attempts in a row that bring no byte further. */
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 500;
const CONFLICT = 409;

interface Started extends Upload {
  readonly parts_url: string;
}

/** Uploads a file. A large one resumes after a lost connection. */
export async function upload(transport: Transport, file: Blob, signal?: AbortSignal): Promise<Upload> {
  if (file.size > PART_BYTES) return await uploadInParts(transport, file, signal);
  const headers = { 'content-type': file.type || 'application/octet-stream' };
  return await transport.json('/uploads', { method: 'POST', body: file, headers, signal });
}

async function uploadInParts(transport: Transport, file: Blob, signal?: AbortSignal): Promise<Upload> {
  const body = { bytes: file.size };
  const started = await transport.json<Started>('/v2/uploads', { method: 'POST', body, signal });
  const path = new URL(started.parts_url).pathname.replace(/^.*\/api\//, '/');
  let attempts = 0;
  for (let offset = 0; offset < file.size; ) {
    const reached = await sendPart(transport, path, { file, offset, signal });
    if (reached > offset) attempts = 0;
    else if (++attempts === ATTEMPTS_MAX) throw new ConnectionError('The upload does not get any further.');
    else await pause(PAUSE_MS * 2 ** attempts, signal);
    offset = reached;
  }
  const { upload_url, bytes, expires_at } = started;
  return { upload_url, bytes, expires_at };
}

interface Part {
  readonly file: Blob;
  readonly offset: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends the next part. Returns how many bytes of the file the service has then. */
async function sendPart(transport: Transport, path: string, { file, offset, signal }: Part): Promise<number> {
  const call = {
    method: 'PATCH',
    body: file.slice(offset, offset + PART_BYTES),
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    signal,
  } as const;
  try {
    return offsetOf(await transport.open(path, call));
  } catch (thrown) {
    // A part that was repeated after a lost connection finds that some of it has arrived.
    const isBroken =
      thrown instanceof ConnectionError || (thrown instanceof ApiError && thrown.status === CONFLICT);
    if (!isBroken) throw thrown;
    return offsetOf(await transport.open(path, { method: 'HEAD', signal }));
  }
}

function offsetOf({ headers }: Response): number {
  const offset = Number(headers.get('upload-offset') ?? Number.NaN);
  if (Number.isSafeInteger(offset)) return offset;
  throw new ConnectionError('The service did not say how much of the upload has arrived.');
}
