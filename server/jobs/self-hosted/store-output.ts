import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { BatchParams } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import { pickKnownParams } from '../../../models/core/operation/params.ts';
import { type FileFacts, nameResult } from '../../../models/core/operation/result-file.ts';
import type { TestFile } from '../../../models/core/operation/run-result.ts';
import { AUDIO_MEDIA_TYPES } from '../../../models/core/runtime/audio-codec.ts';
import type { Context } from '../../base/context.ts';
import { countForDisk, SMALL_BYTES_MAX } from '../../base/disk-reserve.ts';
import { saveStream } from '../../base/streams.ts';
import { withTempDir } from '../../base/temp-dir.ts';
import {
  assertFailureBudget,
  assertStorageQuota,
  countParts,
  listSettledItems,
  type OutputPosition,
  recordFailures,
  recordPartialOutput,
  type StoredFile,
} from '../index.ts';
import { createConflict, findInputName, holdLease, type OwnAttempt } from './own-attempt.ts';

/** File that a run is expected to make. */
interface ExpectedFile {
  readonly kind: TestFile['kind'];
  readonly mediaType: string;
  /** Extension of its name, with the dot. */
  readonly extension: string;
}

/** Room for the largest result: uncompressed pixels or samples take several times the bytes of an input. */
const BYTES_PER_INPUT_BYTE = 16;

const FILE_BYTES_MAX = 2_000_000_000;

/** Largest JSON document that is read to check it. */
const JSON_BYTES_MAX = 20_000_000;

/** Most values of one: four hours of turns of a second have an eighth of it. */
const JSON_VALUES_MAX = 500_000;

const VALUE_SIGNS: ReadonlySet<number> = new Set(Buffer.from(',[{'));

/** File that a worker sends. */
export interface IncomingOutput {
  readonly place: OutputPosition;
  /** Plain file name with extension. */
  readonly name: string;
  readonly mediaType: string;
  /** SHA-256 as the worker has computed it. */
  readonly sha256: Buffer;
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborts when the worker leaves. */
  readonly signal: AbortSignal;
  /** Counts bytes before they are written. What it throws ends the body. */
  readonly count: (bytes: number) => void;
}

/**
 * Stores a file of a result: whole and as its worker has hashed it, of the kind that the operation makes. A file that
 * comes again takes the place of the first.
 * @throws OperationError `bad_request` naming what differs, `body_too_large`, `too_many_requests` when the account may
 *   store no more or too many of its files were read for nothing, `conflict` when the claim is over, `storage_full`
 */
export async function storeOutput(
  ctx: Context,
  own: OwnAttempt,
  incoming: IncomingOutput,
): Promise<StoredFile> {
  const { name, mediaType, place } = incoming;
  await holdLease(ctx, own);
  const expected = await findExpected(ctx, own, place);
  assertKind(incoming, expected);
  await assertStorageQuota(ctx, own.job.accountId);
  return await withTempDir(ctx.env, async (directory) => {
    const path = join(directory, 'output');
    const bytesMax = outputBytesMax(own.operation);
    const tooLarge = () => new OperationError('body_too_large', `body: must be at most ${bytesMax} bytes.`);
    const count = await countForDisk(ctx.env, SMALL_BYTES_MAX, incoming.count);
    const saved = await saveStream(incoming.body, { path, bytesMax, tooLarge, count });
    if (!saved.sha256.equals(incoming.sha256)) {
      throw fieldError('Content-Digest', 'differs from that of the bytes that arrived. Send the file again.');
    }
    const facts = await readContent(ctx, own, {
      path,
      expected,
      bytes: saved.bytes,
      signal: incoming.signal,
    });
    const key = `outputs/${own.id}/${randomBytes(16).toString('base64url')}/${name}`;
    await ctx.storage.putFile(key, path, mediaType);
    const fileName = nameResult(own.operation, await findInputName(ctx, own, place), name);
    const file = { key, name, mediaType, ...saved, facts, fileName };
    const recorded = await recordPartialOutput(ctx.db, own, place, file);
    const unused = typeof recorded === 'object' ? recorded.replaced : key;
    if (unused !== null) await ctx.storage.delete(unused).catch(() => {});
    if (recorded === 'settled') throw createNoRun(place);
    if (recorded === 'fenced') throw createConflict(own);
    return file;
  });
}

/** Returns the facts and params of one of a job's runs; undefined when it has no such run. */
export function findRun(
  { job, isBatch }: OwnAttempt,
  item: number,
): { readonly facts: object; readonly params: unknown } | undefined {
  if (!isBatch) return item === 0 ? job : undefined;
  const { items = [] } = job.params as Partial<BatchParams>;
  return items.find(({ position }) => position === item);
}

async function findExpected(
  ctx: Context,
  own: OwnAttempt,
  { item, file }: OutputPosition,
): Promise<ExpectedFile> {
  const run = findRun(own, item);
  const settled = own.isBatch ? await listSettledItems(ctx.db, own.id) : [];
  if (!run || settled.some(({ position }) => position === item)) {
    throw createNoRun({ item });
  }
  const files = listExpectedFiles(own.operation, run.facts, run.params);
  const expected = files[file];
  if (!expected)
    throw fieldError('file', `must be less than ${files.length}, the number of files of this result.`);
  return expected;
}

function createNoRun({ item }: Pick<OutputPosition, 'item'>): OperationError {
  return fieldError('position', `the job has no open run ${item}.`);
}

function assertKind({ name, mediaType }: IncomingOutput, expected: ExpectedFile): void {
  if (extname(name) !== expected.extension) throw fieldError('name', `must end with ${expected.extension}.`);
  if (mediaType !== expected.mediaType) throw fieldError('Content-Type', `must be ${expected.mediaType}.`);
}

interface SavedOutput {
  readonly path: string;
  readonly expected: ExpectedFile;
  readonly bytes: number;
  readonly signal: AbortSignal;
}

/** Checks by a file's own bytes that it is what it is called, and reads the facts about it. */
async function readContent(ctx: Context, own: OwnAttempt, output: SavedOutput): Promise<FileFacts> {
  const { path, expected, bytes, signal } = output;
  const { kind, mediaType } = expected;
  if (kind === 'json') {
    await assertJson(path, bytes);
    return {};
  }
  if (!ctx.prober) throw new Error('this process reads no files');
  const { accountId } = own.job;
  await assertFailureBudget(ctx, accountId);
  let startedAtMs = Number.POSITIVE_INFINITY;
  const onStart = () => {
    startedAtMs = performance.now();
  };
  const options = { owner: accountId, signal, log: ctx.log, onStart };
  try {
    const facts = await ctx.prober.probe({ path, media: [kind], isResult: true }, options).catch((thrown) => {
      if (!(thrown instanceof OperationError) || thrown.code !== 'bad_request') throw thrown;
      throw fieldError('body', thrown.message, { cause: thrown });
    });
    const isSame = kind === 'image' ? facts.mediaType === mediaType : facts.mediaType.startsWith(`${kind}/`);
    if (!isSame) throw fieldError('body', `is ${facts.mediaType}, but must be ${mediaType}.`);
    return facts.fileFacts ?? {};
  } catch (thrown) {
    // It was read for nothing, here: whether it is refused or its machine has left, it counts as such an input does.
    const isRefused = thrown instanceof OperationError && thrown.code === 'bad_request';
    const seconds = Math.max(0, performance.now() - startedAtMs) / 1000;
    if (isRefused || signal.aborted) await recordFailures(ctx, accountId, countParts(seconds));
    throw thrown;
  }
}

async function assertJson(path: string, bytes: number): Promise<void> {
  if (bytes > JSON_BYTES_MAX) {
    throw new OperationError('body_too_large', `body: must be at most ${JSON_BYTES_MAX} bytes of JSON.`);
  }
  const json = await readFile(path);
  // Parsed values take many times the bytes of their text, and parsing blocks this process. Signs in strings count,
  // too.
  let values = 1;
  for (const byte of json) if (VALUE_SIGNS.has(byte)) values += 1;
  if (values > JSON_VALUES_MAX) throw fieldError('body', `must hold at most ${JSON_VALUES_MAX} values.`);
  try {
    JSON.parse(json.toString());
  } catch (cause) {
    throw fieldError('body', 'must be valid JSON.', { cause });
  }
}

/**
 * Lists the files that a run makes of an input, in order, as its operation describes them.
 * @param facts of the input, as stored with the job
 * @param params as stored with the job
 */
export function listExpectedFiles(operation: Operation, facts: object, params: unknown): ExpectedFile[] {
  const { files } = operation.testResult(facts as InputFacts, pickKnownParams(operation, params), 0);
  return files.map((file) => ({
    kind: file.kind,
    mediaType: getMediaType(file),
    extension: file.name.slice(file.name.lastIndexOf('.')),
  }));
}

/** Returns the size limit in bytes of each file of a result. */
function outputBytesMax({ limits }: Pick<Operation, 'limits'>): number {
  return Math.min(BYTES_PER_INPUT_BYTE * limits.inputBytesMax, FILE_BYTES_MAX);
}

function getMediaType(file: TestFile): string {
  switch (file.kind) {
    case 'image':
      return `image/${file.format}`;
    case 'video':
      return `video/${file.format}`;
    case 'audio':
      return AUDIO_MEDIA_TYPES[file.format];
    case 'json':
      return 'application/json';
  }
}
