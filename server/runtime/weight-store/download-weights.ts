import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { OperationError } from '../../../models/errors.ts';
import type { WeightCard } from '../../../models/weights/weight-card.ts';
import { codeOf, type Source, SourceFault } from './sources.ts';

export interface DownloadTarget {
  /** Where the whole, verified file goes. */
  readonly path: string;
  /** Where it grows until then. What a broken download left there is gone on with. */
  readonly partPath: string;
  readonly signal: AbortSignal;
  /** @param bytesTotal null while nobody knows */
  readonly onProgress: (bytesDone: number, bytesTotal: number | null) => void;
}

/** Tries in a row that may bring nothing new before a source is given up. */
const FRUITLESS_TRIES_MAX = 3;
const PAUSE_MS = 500;

/**
 * Brings a file of weights from the first source that has it, going on where an earlier download broke off. It stands
 * at `path` only once its SHA-256 is the card's.
 * @throws OperationError `unavailable` naming each source and what was wrong with it, or the disk
 */
export async function downloadWeights(
  card: WeightCard,
  sources: readonly Source[],
  target: DownloadTarget,
): Promise<void> {
  const faults: string[] = [];
  for (const source of sources) {
    const fault = await takeFrom(source, card, target);
    if (!fault) return;
    faults.push(`${source.name} ${fault}`);
  }
  const reasons =
    faults.join('; ') || 'no source may be asked (MODELS_OFFLINE is set and MODEL_MIRROR has none)';
  throw new OperationError('unavailable', `${card.id}: the weights cannot be had: ${reasons}.`);
}

/** @returns what is wrong with the source, or null once the file is there */
async function takeFrom(source: Source, card: WeightCard, target: DownloadTarget): Promise<string | null> {
  for (const isFresh of [false, true]) {
    const fault = await fill(source, card, target);
    if (fault) return fault;
    const found = await sha256Of(target.partPath);
    if (found === card.sha256) {
      await rename(target.partPath, target.path);
      return null;
    }
    await rm(target.partPath, { force: true });
    // Halves of two versions may have been put together: once more from the start tells.
    if (isFresh) return `sent other bytes than expected (SHA-256 ${found} instead of ${card.sha256})`;
  }
  return null;
}

/** Fills the part file from one source, over as many breaks as it takes. @returns what is wrong, or null when full */
async function fill(source: Source, card: WeightCard, target: DownloadTarget): Promise<string | null> {
  const file = await open(target.partPath, 'a+').catch(diskFault);
  try {
    for (let fruitless = 0; ; ) {
      const { size } = await file.stat();
      if (card.bytes !== null && size === card.bytes) return null;
      if (card.bytes !== null && size > card.bytes) await file.truncate(0);
      const fault = await append(source, card, file, target);
      if (!fault) return null;
      const { size: reached } = await file.stat();
      fruitless = reached > size ? 0 : fruitless + 1;
      if (fault.isLasting || fruitless >= FRUITLESS_TRIES_MAX) return fault.message;
      await setTimeout(PAUSE_MS * 2 ** fruitless, undefined, { signal: target.signal });
    }
  } finally {
    await file.close();
  }
}

/** One transfer. @returns why it ended before the end, or null */
async function append(
  source: Source,
  card: WeightCard,
  file: FileHandle,
  target: DownloadTarget,
): Promise<SourceFault | null> {
  const { signal } = target;
  try {
    const { size } = await file.stat();
    const { offset, bytesTotal, stream } = await source.open(size, signal);
    if (card.bytes !== null && bytesTotal !== null && bytesTotal !== card.bytes) {
      stream.on('error', () => {}).destroy();
      return new SourceFault(`has a file of ${bytesTotal} bytes instead of ${card.bytes}`, {
        isLasting: true,
      });
    }
    if (offset !== size) await file.truncate(0);
    let done = offset === size ? size : 0;
    const bytesMax = card.bytes ?? bytesTotal ?? Number.POSITIVE_INFINITY;
    for await (const chunk of stream.iterator({ destroyOnReturn: true }) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      if (done + chunk.length > bytesMax) {
        return new SourceFault(`sent more than ${bytesMax} bytes`, { isLasting: true });
      }
      await file.appendFile(chunk).catch(diskFault);
      done += chunk.length;
      target.onProgress(done, card.bytes ?? bytesTotal);
    }
    if (done >= bytesMax || bytesMax === Number.POSITIVE_INFINITY) return null;
    return new SourceFault(`broke off after ${done} of ${bytesMax} bytes`, { isLasting: false });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof SourceFault) return cause;
    if (cause instanceof OperationError) throw cause;
    return new SourceFault(`broke off (${codeOf(cause)})`, { isLasting: false, cause });
  }
}

/** For `catch`: our own disk's fault, which no other source can mend. */
function diskFault(cause: unknown): never {
  const code = codeOf(cause);
  const reason =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'the disk is full. Free some space and try again; what has been downloaded is kept'
      : `the disk refuses it (${code})`;
  throw new OperationError('unavailable', `DATA_DIR/models cannot be written: ${reason}.`, { cause });
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
