import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type ErrorCode,
  fieldError,
  isRequestError,
  OperationError,
} from '../../../models/core/operation/errors.ts';
import type { InputFacts, InputField } from '../../../models/core/operation/inputs.ts';
import { describeMedia } from '../../../models/core/operation/request.ts';
import { type ForcedOutcome, readForcedOutcome } from '../../../models/test-mode/forced-outcomes.ts';
import { standInFor } from '../../../models/test-mode/stand-in.ts';
import type { Tx } from '../../base/database/db.ts';
import { type SavedFile, saveStream } from '../../base/save-stream.ts';
import { withTempDir } from '../../base/temp-dir.ts';
import type { Context } from '../../base/context/context.ts';
import { addressRules, download } from '../../io/fetching/index.ts';
import { recordFailedRun, recordLongProbe, type StoredFile } from '../../jobs/index.ts';
import { consumeUpload, findUpload, readUploadToken } from '../../io/uploads/index.ts';
import type { Allowance } from '../limits/keyed-limit.ts';
import { rateLimitExceeded } from '../limits/rate-limit.ts';
import { decodeBase64 } from './decode-base64.ts';

/** Name of the input within its job. */
export const INPUT_NAME = 'input';

export interface FileRequest extends Pick<InputField, 'encoding' | 'media' | 'checksNamedType'> {
  /** Id of the future job. */
  readonly id: string;
  readonly accountId: string;
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
  readonly signal: AbortSignal;
}

/** Checked file in storage, before any money moves. */
export interface StagedFile {
  readonly file: StoredFile;
  /**
   * Assigns the file to the job, in its transaction.
   * @throws OperationError `bad_request` when another request used the file meanwhile
   */
  claim(tx: Tx): Promise<void>;
  /** Releases the file when there is no job: deletes a fetched file, and keeps an upload for later. */
  discard(): Promise<void>;
}

/** Inspects a local file before it is stored. */
type Inspect<Found> = (path: string) => Promise<{ facts: InputFacts; found: Found }>;

/**
 * Brings a file into storage: from the user's URL, from the request itself, or from an earlier upload of the account.
 * A client that leaves before that has used it for nothing: the probe counts as a failed run of its duration. Of a
 * refused file, what the probe took beyond 10 s counts likewise; the refusal itself is the caller's to count.
 * Nothing is fetched from an address that forces an outcome of a test.
 * @param conclude checks the request as a whole before the file is stored; its errors stay unchanged
 * @throws OperationError `unfetchable`, `unsupported` or `too_large` naming the field, and any error of `conclude`;
 *   nothing is left behind then
 */
export async function stageFile<Found>(
  ctx: Context,
  request: FileRequest,
  conclude: (facts: InputFacts) => Found,
): Promise<{ staged: StagedFile; found: Found }> {
  const forced = readForced(request);
  let probedAtMs = Number.POSITIVE_INFINITY;
  const onStart = () => {
    probedAtMs = performance.now();
  };
  const inspect: Inspect<Found> = async (path) => {
    const facts = await withField(request.field, 'unsupported', async () => {
      const facts = await probe(ctx, request, { path, onStart });
      assertMedia(facts, request);
      return facts;
    });
    return { facts, found: conclude(facts) };
  };
  const token = request.encoding === 'url' ? readUploadToken(ctx.env.PUBLIC_URL, request.value) : null;
  const staging = withTempDir(ctx.env, (directory) =>
    token === null
      ? stageBytes(ctx, request, inspect, { directory, forced })
      : stageUpload(ctx, request, inspect, { token, directory }),
  );
  return await staging.catch(async (thrown) => {
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
function readForced(request: FileRequest): ForcedOutcome | null {
  const { encoding, field, name, isTest } = request;
  const forced = encoding === 'url' ? readForcedOutcome(request, isTest) : null;
  if (forced && name !== INPUT_NAME)
    throw fieldError(field, 'only the address of an input forces an outcome.');
  if (forced === 'insufficient-balance') {
    const message = 'The wallet balance is too low: the address of the input forces this response.';
    throw new OperationError('insufficient_balance', message);
  }
  if (forced === 'too-many-requests') throw rateLimitExceeded();
  return forced;
}

async function probe(
  { prober, log }: Context,
  { operationId, accountId, media, signal }: FileRequest,
  { path, onStart }: { readonly path: string; onStart(): void },
): Promise<InputFacts> {
  if (!prober) throw new Error('this process probes no files');
  return await prober.probe({ operationId, path, media }, { owner: accountId, signal, log, onStart });
}

async function stageBytes<Found>(
  ctx: Context,
  request: FileRequest,
  inspect: Inspect<Found>,
  { directory, forced }: { readonly directory: string; readonly forced: ForcedOutcome | null },
): Promise<{ staged: StagedFile; found: Found }> {
  const { id, name, field, value, encoding } = request;
  const path = join(directory, 'file');
  const receive = () => {
    if (forced) return saveForced(request, path);
    return encoding === 'base64' ? decodeInline(request, path) : fetchUrl(ctx, request, path);
  };
  const saved = await withField(field, encoding === 'base64' ? 'unsupported' : 'unfetchable', receive);
  const { facts, found } = await inspect(path);
  const { mediaType } = facts;
  const key = `inputs/${id}/${randomBytes(16).toString('base64url')}/${name}`;
  await ctx.storage.putFile(key, path, mediaType);
  const file = { key, name, mediaType, ...saved, ...(encoding === 'url' && { sourceUrl: value }) };
  return { staged: { file, claim: async () => {}, discard: () => ctx.storage.delete(key) }, found };
}

async function fetchUrl(ctx: Context, request: FileRequest, path: string): Promise<SavedFile> {
  const { value, bytesMax, accountId, fetched, signal, checksNamedType } = request;
  const options = {
    ...addressRules(ctx.env),
    owner: accountId,
    path,
    bytesMax,
    signal,
    count: (bytes: number) => fetched.grow(bytes),
    ...(checksNamedType && { assertNamedType: (named: string) => assertNamedMedia(named, request) }),
  };
  const { bytes, sha256 } = await download(value, options);
  return { bytes, sha256 };
}

/** Saves the file that stands for the input of a forced outcome. */
async function saveForced({ media, bytesMax }: FileRequest, path: string): Promise<SavedFile> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield standInFor(media);
  }
  return await saveStream(bytes(), { path, bytesMax, tooLarge: () => tooLarge(bytesMax) });
}

async function decodeInline({ value, bytesMax }: FileRequest, path: string): Promise<SavedFile> {
  async function* decoded(): AsyncGenerator<Uint8Array> {
    yield decodeBase64(value);
  }
  return await saveStream(decoded(), { path, bytesMax, tooLarge: () => tooLarge(bytesMax) });
}

async function stageUpload<Found>(
  ctx: Context,
  { accountId, field, name, bytesMax, fetched }: FileRequest,
  inspect: Inspect<Found>,
  { token, directory }: { token: string; directory: string },
): Promise<{ staged: StagedFile; found: Found }> {
  const upload = await withField(field, 'unfetchable', () => findUpload(ctx.db, { accountId, token }));
  if (upload.bytes > bytesMax) throw prefixField(field, tooLarge(bytesMax));
  // Each request that names it may have a copy of its own.
  fetched.grow(upload.bytes);
  const path = await ctx.storage.toLocalFile(upload.key, directory);
  const { facts, found } = await inspect(path);
  const staged: StagedFile = {
    file: { ...upload, name, mediaType: facts.mediaType },
    claim: (tx) => withField(field, 'unfetchable', () => consumeUpload(tx, { accountId, token })),
    discard: async () => {},
  };
  return { staged, found };
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

/** Runs a step of staging and attributes its request faults to the field. */
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
  return fieldError(field, error.message, { code, cause: error });
}
