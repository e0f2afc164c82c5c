import { randomBytes } from 'node:crypto';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { fieldError, isRequestError, OperationError } from '../../../models/core/operation/errors.ts';
import type { Attachment, InputFacts } from '../../../models/core/operation/inputs.ts';
import type { Lane } from '../../../models/core/operation/job.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { describeMedia, getBytesMax, type OperationRequest } from '../../../models/core/operation/request.ts';
import { nameOfUrl } from '../../../models/core/operation/result-file.ts';
import { assertNoGplFormat } from '../../../models/media/image/gpl-formats.ts';
import { type ForcedOutcome, readForcedOutcome } from '../../../models/test-mode/forced-outcomes.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { withTempDir } from '../../base/temp-dir.ts';
import {
  countParts,
  type JobResult,
  type RequestFile,
  recordFailures,
  type SettledItem,
  type StoredFile,
  type Submission,
} from '../../jobs/index.ts';
import { forcedRateLimit } from '../transport/rate-limit.ts';
import { type FileRequest, type ReceivedFile, receiveFile, throwDeleted, withField } from './receive-file.ts';

/** Name of the input within its job. */
const INPUT_NAME = 'input';

/** Checked file in storage, before any money moves. */
export interface IngestedFile {
  readonly file: StoredFile;
  /** Deletes the file when there is no job. */
  discard(): Promise<void>;
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
  // 1. Take the outcome that the address of a test forces.
  const forced = readForced(ctx, request);
  let probedAtMs = Number.POSITIVE_INFINITY;
  const onStart = () => {
    probedAtMs = performance.now();
  };
  const ingesting = withTempDir(ctx.env, async (directory) => {
    // 2. Receive the bytes.
    const received = await receiveFile(ctx, request, directory, forced);
    // 3. Probe them.
    const facts = await probe(ctx, request, { path: received.path, onStart });
    // 4. Price the request, which checks it as a whole.
    const price = getPrice(facts);
    // 5. Store the file.
    return { ingested: await storeFile(ctx, request, received, facts), facts, price };
  });
  // 6. Count what a failed probe took.
  return await ingesting.catch(async (thrown) => {
    const probeSeconds = Math.max(0, performance.now() - probedAtMs) / 1000;
    const count = countParts(probeSeconds);
    // The refusal itself counts as one.
    if (isRequestError(thrown)) await recordFailures(ctx, request.accountId, count - 1);
    else if (request.signal.aborted) await recordFailures(ctx, request.accountId, count);
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

function assertMedia({ mediaType }: InputFacts, { media }: FileRequest): void {
  if (media.some((kind) => mediaType.startsWith(`${kind}/`))) return;
  throw new OperationError('unsupported', `is ${mediaType}, but must be ${describeMedia(media)}.`);
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
