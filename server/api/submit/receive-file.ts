import { join } from 'node:path';
import {
  type ErrorCode,
  fieldError,
  isRequestError,
  OperationError,
} from '../../../models/core/operation/errors.ts';
import type { InputField } from '../../../models/core/operation/inputs.ts';
import type { ForcedOutcome } from '../../../models/test-mode/forced-outcomes.ts';
import { standInFor } from '../../../models/test-mode/stand-in.ts';
import type { Context } from '../../base/context.ts';
import { countForDisk, SMALL_BYTES_MAX } from '../../base/disk-reserve.ts';
import { type SavedFile, saveStream } from '../../base/streams.ts';
import { addressRules, download, type RetryWindow } from '../../io/fetching/index.ts';
import { findUpload, readUploadToken, type Upload, type UploadOwner } from '../../io/uploads/index.ts';
import type { Allowance } from '../transport/keyed-limit.ts';

/** File that a request brings. */
export interface FileRequest extends Pick<InputField, 'encoding' | 'media' | 'checksNamedType'> {
  /** Id of the future job. */
  readonly id: string;
  readonly accountId: string;
  /** Uploads that the request may name. */
  readonly uploads: UploadOwner;
  /** Operation that the file is for. */
  readonly operationId: string;
  /** Whether a test key sent the request. */
  readonly isTest: boolean;
  /** Field that carries the file. */
  readonly field: string;
  /** Content of the field: a URL, or base64. */
  readonly value: string;
  /** Name of the file within the job. */
  readonly name: string;
  readonly bytesMax: number;
  /** Room of the account for the bytes that are fetched or copied; the request gives it back. */
  readonly fetched: Pick<Allowance, 'grow'>;
  /** Receives the SHA-256 of each file that a URL names, by the URL. */
  readonly digests: Map<string, Buffer>;
  /** Pauses of the request's fetches. */
  readonly retries: RetryWindow;
  readonly signal: AbortSignal;
}

/** File on this machine's disk: bytes that came just now, or a copy of an upload, which is stored already. */
export interface ReceivedFile {
  readonly path: string;
  readonly saved: SavedFile;
  /** Upload that it is a copy of. */
  readonly upload?: Upload;
}

/**
 * Brings a file onto this machine's disk: from the user's URL, from the request itself, or from an earlier upload.
 * @param forced outcome of a test: its address is not fetched
 * @throws OperationError naming the field
 */
export async function receiveFile(
  ctx: Context,
  request: FileRequest,
  directory: string,
  forced: ForcedOutcome | null,
): Promise<ReceivedFile> {
  const { field, value, encoding, uploads, bytesMax, fetched } = request;
  const count = await countForDisk(ctx.env, SMALL_BYTES_MAX);
  const token = encoding === 'url' ? readUploadToken(ctx.env.PUBLIC_URL, value) : null;
  if (token === null) {
    const path = join(directory, 'file');
    const fault = encoding === 'base64' ? 'unsupported' : 'unfetchable';
    const saved = await withField(field, fault, () => {
      if (forced) return saveBytes(request, path, () => standInFor(request.media));
      if (encoding === 'base64') return saveBytes({ ...request, count }, path, () => decodeBase64(value));
      return fetchUrl(ctx, { ...request, count }, path);
    });
    return { path, saved };
  }
  const upload = await withField(field, 'unfetchable', () => findUpload(ctx.db, { ...uploads, token }));
  const { key, bytes, sha256 } = upload;
  if (bytes > bytesMax) throw prefixField(field, tooLarge(bytesMax));
  // Each request that names it may have its own copy.
  count(bytes);
  fetched.grow(bytes);
  const path = await withField(field, 'unfetchable', () =>
    ctx.storage.toLocalFile(key, directory).catch(throwDeleted),
  );
  return { path, saved: { bytes, sha256 }, upload };
}

/** For `catch`: an upload may be deleted while a request reads it. */
export function throwDeleted(thrown: unknown): never {
  const isDeleted = thrown instanceof OperationError && thrown.code === 'not_found';
  throw isDeleted ? new OperationError('bad_request', 'this upload was deleted just now.') : thrown;
}

/** Count of the bytes that arrive. What it throws ends them. */
interface Counted {
  readonly count: (bytes: number) => void;
}

async function fetchUrl(ctx: Context, request: FileRequest & Counted, path: string): Promise<SavedFile> {
  const { value, bytesMax, accountId, fetched, signal, checksNamedType, count } = request;
  const options = {
    ...addressRules(ctx.env),
    owner: accountId,
    path,
    bytesMax,
    retries: request.retries,
    signal,
    count(bytes: number) {
      count(bytes);
      fetched.grow(bytes);
    },
    ...(checksNamedType && { assertNamedType: (named: string) => assertNamedMedia(named, request) }),
  };
  const { bytes, sha256 } = await download(value, options);
  return { bytes, sha256 };
}

/** Saves bytes that no server sends: those of the request itself, or the stand-in of a forced outcome. */
async function saveBytes(
  { bytesMax, count }: Pick<FileRequest, 'bytesMax'> & Partial<Counted>,
  path: string,
  getBytes: () => Uint8Array,
): Promise<SavedFile> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield getBytes();
  }
  return await saveStream(chunks(), { path, bytesMax, count, tooLarge: () => tooLarge(bytesMax) });
}

const DATA_URI = /^data:[^,]{0,150};base64,/i;

/**
 * Decodes base64 from a user, raw or as a data URI; padding may be missing (RFC 4648, section 4).
 * @throws OperationError `bad_request` for anything else, for the caller to prefix with the field
 */
export function decodeBase64(text: string): Buffer<ArrayBuffer> {
  const [prefix = ''] = DATA_URI.exec(text) ?? [];
  const digits = text.slice(prefix.length).replace(/={0,2}$/, '');
  // Buffer skips invalid characters.
  if (digits.length === 0 || digits.length % 4 === 1 || !/^[A-Za-z0-9+/]*$/.test(digits)) {
    throw new OperationError('bad_request', 'must be base64, raw or as a data: URI, and not empty.');
  }
  return Buffer.from(digits, 'base64');
}

/** @throws OperationError `unsupported` when a server names another kind, `application/octet-stream` included */
function assertNamedMedia(named: string, { media }: FileRequest): void {
  if (media.some((kind) => named.startsWith(`${kind}/`))) return;
  const allowed = media.map((kind) => `${kind}/*`).join(' or ');
  const message = `the server names Content-Type: ${named.slice(0, 80)}. Serve it as ${allowed}, or without a type.`;
  throw new OperationError('unsupported', message);
}

function tooLarge(bytesMax: number): OperationError {
  return new OperationError('too_large', `must be at most ${bytesMax} bytes.`);
}

/** Runs a step of ingesting and attributes its request faults to the field. */
export async function withField<T>(field: string, fault: ErrorCode, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (thrown) {
    if (!isRequestError(thrown)) throw thrown;
    throw prefixField(field, thrown, fault);
  }
}

/**
 * Prefixes an error with the field.
 * @param fault code of an error without a more specific one
 */
function prefixField(field: string, error: OperationError, fault: ErrorCode = error.code): OperationError {
  const code = error.code === 'bad_request' ? fault : error.code;
  const { message, retryAfterSeconds } = error;
  return fieldError(field, message, {
    code,
    cause: error,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
