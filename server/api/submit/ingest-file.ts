import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import {
  type ErrorCode,
  fieldError,
  isRequestError,
  OperationError,
} from '../../../models/core/operation/errors.ts';
import type { Attachment, InputFacts, InputField } from '../../../models/core/operation/inputs.ts';
import type { Lane } from '../../../models/core/operation/job.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { describeMedia, getBytesMax, type OperationRequest } from '../../../models/core/operation/request.ts';
import { nameOfUrl } from '../../../models/core/operation/result-file.ts';
import { assertNoGplFormat } from '../../../models/media/image/gpl-formats.ts';
import { type ForcedOutcome, readForcedOutcome } from '../../../models/test-mode/forced-outcomes.ts';
import { standInFor } from '../../../models/test-mode/stand-in.ts';
import { type Context, getOperations } from '../../base/context/context.ts';
import { countForDisk, SMALL_BYTES_MAX } from '../../base/disk-reserve.ts';
import { type SavedFile, saveStream } from '../../base/streams.ts';
import { withTempDir } from '../../base/temp-dir.ts';
import { addressRules, download, type RetryWindow } from '../../io/fetching/index.ts';
import { findUpload, readUploadToken, type Upload, type UploadOwner } from '../../io/uploads/index.ts';
import {
  type JobResult,
  type RequestFile,
  recordFailedRun,
  recordLongProbe,
  type SettledItem,
  type StoredFile,
  type Submission,
} from '../../jobs/index.ts';
import type { Allowance } from '../limits/keyed-limit.ts';
import { forcedRateLimit } from '../limits/rate-limit.ts';

/** Name of the input within its job. */
const INPUT_NAME = 'input';

interface FileRequest extends Pick<InputField, 'encoding' | 'media' | 'checksNamedType'> {
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

/** Checked file in storage, before any money moves. */
export interface IngestedFile {
  readonly file: StoredFile;
  /** Deletes the file when there is no job. */
  discard(): Promise<void>;
}

/** File on this machine's disk: bytes that came just now, or a copy of an upload, which is stored already. */
interface ReceivedFile {
  readonly path: string;
  readonly saved: SavedFile;
  /** Upload that it is a copy of. */
  readonly upload?: Upload;
}

/** Ingested file, and what its bytes decide. */
export interface FileFindings {
  readonly ingested: IngestedFile;
  readonly facts: InputFacts;
  readonly price: MicroUsd;
}

/**
 * Brings a file into storage: from the user's URL, from the request itself, or from an earlier upload of the account.
 * A client that leaves before that has used it for nothing: the probe counts as a failed run of its duration. Of a
 * refused file, what the probe took beyond 10 s counts likewise; the refusal itself is the caller's to count.
 * Nothing is fetched from an address that forces an outcome of a test.
 * @param getPrice checks the request as a whole before the file is stored; its errors stay unchanged
 * @throws OperationError `unfetchable`, `unsupported` or `too_large` naming the field, and any error of `getPrice`;
 *   nothing is left behind then
 */
async function ingestFile(
  ctx: Context,
  request: FileRequest,
  getPrice: (facts: InputFacts) => MicroUsd = () => 0n,
): Promise<FileFindings> {
  const forced = readForced(ctx, request);
  let probedAtMs = Number.POSITIVE_INFINITY;
  const onStart = () => {
    probedAtMs = performance.now();
  };
  const ingesting = withTempDir(ctx.env, async (directory) => {
    const received = await receiveFile(ctx, request, directory, forced);
    const facts = await probe(ctx, request, { path: received.path, onStart });
    const price = getPrice(facts);
    return { ingested: await storeFile(ctx, request, received, facts), facts, price };
  });
  return await ingesting.catch(async (thrown) => {
    const probeSeconds = Math.max(0, performance.now() - probedAtMs) / 1000;
    if (isRequestError(thrown)) await recordLongProbe(ctx, request.accountId, probeSeconds);
    else if (request.signal.aborted) await recordFailedRun(ctx, request.accountId, probeSeconds);
    throw thrown;
  });
}

/**
 * Reads the outcome that the address of a file forces on its request.
 * @throws OperationError `insufficient_balance` or `too_many_requests` where they are forced; `bad_request` for an
 *   address that forces nothing here
 */
function readForced(ctx: Context, request: FileRequest): ForcedOutcome | null {
  const { encoding, field, name, isTest } = request;
  const forced = encoding === 'url' ? readForcedOutcome(request, isTest) : null;
  if (forced && name !== INPUT_NAME)
    throw fieldError(field, 'only the address of an input forces an outcome.');
  if (forced === 'insufficient-balance') {
    const message = 'The wallet balance is too low: the address of the input forces this response.';
    throw new OperationError('insufficient_balance', message);
  }
  if (forced === 'too-many-requests') throw forcedRateLimit(ctx);
  return forced;
}

async function receiveFile(
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
function throwDeleted(thrown: unknown): never {
  const isDeleted = thrown instanceof OperationError && thrown.code === 'not_found';
  throw isDeleted ? new OperationError('bad_request', 'this upload was deleted just now.') : thrown;
}

/** Reads the facts of a file that must be of one of the field's media. */
async function probe(
  { prober, log }: Context,
  request: FileRequest,
  { path, onStart }: { readonly path: string; onStart(): void },
): Promise<InputFacts> {
  if (!prober) throw new Error('this process probes no files');
  const { operationId, accountId, media, signal, field } = request;
  return await withField(field, 'unsupported', async () => {
    const options = { owner: accountId, signal, log, onStart };
    const facts = await prober.probe({ operationId, path, media }, options);
    assertMedia(facts, request);
    return facts;
  });
}

async function storeFile(
  ctx: Context,
  { id, field, name, value, encoding, digests }: FileRequest,
  { path, saved, upload }: ReceivedFile,
  { mediaType }: InputFacts,
): Promise<IngestedFile> {
  if (encoding === 'url') digests.set(value, saved.sha256);
  const key = `inputs/${id}/${randomBytes(16).toString('base64url')}/${name}`;
  if (!upload) await ctx.storage.putFile(key, path, mediaType);
  else await withField(field, 'unfetchable', () => ctx.storage.copy(upload.key, key).catch(throwDeleted));
  return {
    file: {
      ...{ key, name, mediaType, ...saved },
      ...(upload && { fileName: upload.name }),
      ...(encoding === 'url' && !upload && { sourceUrl: value, fileName: nameOfUrl(value) }),
    },
    discard: () => ctx.storage.delete(key),
  };
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

function assertMedia({ mediaType }: InputFacts, { media }: FileRequest): void {
  if (media.some((kind) => mediaType.startsWith(`${kind}/`))) return;
  throw new OperationError('unsupported', `is ${mediaType}, but must be ${describeMedia(media)}.`);
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
async function withField<T>(field: string, fault: ErrorCode, step: () => Promise<T>): Promise<T> {
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

/** Owner and context of the files of a job. */
export type FileOwner = Pick<
  FileRequest,
  'id' | 'accountId' | 'uploads' | 'fetched' | 'digests' | 'retries' | 'signal'
>;

/** Files of a job in storage, before any money moves, and what their bytes decide. */
export interface IngestedSubmission extends Pick<IngestedFile, 'discard'> {
  readonly files: readonly RequestFile[];
  readonly params: object;
  readonly facts: object;
  readonly lane: Lane;
  /** Price of what is to run. */
  readonly price: MicroUsd;
  /** Items of a batch that need no run: they are invalid, or have a cached result. */
  readonly settled?: readonly SettledItem[];
  /** Key under which later requests find the result. */
  readonly cacheKey?: Buffer;
  /** Earlier result of the same request, which the job delivers again. */
  readonly cachedResult?: NonNullable<Submission['cachedResult']>;
  /** Earlier result with copies of its files; absent where it goes to the client's bucket first. */
  readonly result?: JobResult;
}

/** Drops ingested files. Never rejects: files that cannot be deleted now are deleted with the other orphans. */
export async function discardFiles(ctx: Context, ingested: readonly IngestedFile[]): Promise<void> {
  const results = await Promise.allSettled(ingested.map((file) => file.discard()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) ctx.log.warn({ err: failed.reason }, 'input left for clean-up');
}

export function inputField(position: number, { file }: IngestedFile): RequestFile {
  return { ...file, role: 'input', position };
}

export function attachmentField({ file }: IngestedFile, position: number): RequestFile {
  return { ...file, role: 'attachment', position };
}

/**
 * Ingests the input of a request, and reads facts and price from its bytes.
 * @throws OperationError of the request's faults, naming the field
 */
export async function ingestInput(
  ctx: Context,
  operation: Operation,
  { field, value, params }: OperationRequest,
  owner: FileOwner,
): Promise<FileFindings> {
  const input = operation.inputs[field];
  if (!input) throw new Error(`${operation.id} has no input field ${field}`);
  const { media, encoding, checksNamedType = false } = input;
  if (!ctx.env.GPL_ENCODERS) {
    assertNoGplFormat(operation, params, media);
    for (const part of operation.parts(params)) {
      assertNoGplFormat(part.operation, part.params as typeof params, media);
    }
  }
  const bytesMax = getBytesMax(operation, input);
  const about = { operationId: operation.id, isTest: operation.isTest === true, name: INPUT_NAME };
  const file = { ...owner, ...about, field, value, media, encoding, checksNamedType, bytesMax };
  return await ingestFile(ctx, file, (facts) => operation.price(facts, params));
}

/**
 * Ingests an attachment.
 * @throws OperationError of the request's faults, naming the param
 */
export async function ingestAttachment(
  ctx: Context,
  operation: Operation,
  { name, media, url, operationId = operation.id }: Attachment,
  owner: FileOwner,
): Promise<IngestedFile> {
  const about = { operationId, isTest: operation.isTest === true, field: name, name };
  const { inputBytesMax: bytesMax } = (getOperations(ctx)[operationId] ?? operation).limits;
  const file = { ...owner, ...about, value: url, media, encoding: 'url' as const, bytesMax };
  return (await ingestFile(ctx, file)).ingested;
}
