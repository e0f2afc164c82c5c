import { pause } from '../concurrency.ts';
import { OperationError } from '../operation/errors.ts';
import type { Loading } from '../runtime/progress.ts';
import type { WeightCard } from '../runtime/weight-card.ts';
import { type Source, SourceFault } from './weight-source.ts';

/** File that grows during a download and keeps its content when reopened. */
export interface PartFile {
  size(): Promise<number>;
  /**
   * Appends bytes.
   * @throws OperationError `unavailable` when there is no space
   */
  append(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Empties the file. */
  clear(): Promise<void>;
  /** Computes the SHA-256 of the content, in hex. */
  sha256(): Promise<string>;
}

export interface DownloadOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (loading: Loading) => void;
}

/** Consecutive tries without new bytes before a source is given up. */
const STALLED_TRIES_MAX = 3;
const PAUSE_MS = 500;

/**
 * Downloads weights from the first source that has them, resuming an earlier download. Returns only once the file's
 * SHA-256 matches the card.
 * @param none reason why there may be no source at all
 * @throws OperationError `unavailable` naming each source and its fault, or the missing space
 */
export async function downloadWeights(
  card: WeightCard,
  sources: readonly Source[],
  file: PartFile,
  options: DownloadOptions & { readonly none: string },
): Promise<void> {
  const faults: NamedFault[] = [];
  for (const source of sources) {
    const fault = await takeFrom(source, card, file, options);
    if (!fault) return;
    faults.push({ name: source.name, fault });
  }
  throw weightsUnavailable(card, faults, options.none);
}

/** No source gave the weights: an immediate retry would be useless. */
export class SourcesError extends OperationError {}

/** Fault of a source. */
export interface NamedFault {
  /** Display name of the source. */
  readonly name: string;
  readonly fault: SourceFault;
}

/**
 * Builds the error. Its kind is `model_damaged` where a source has other bytes than the card says.
 * @param none reason why there may be no source at all
 */
export function weightsUnavailable(
  card: WeightCard,
  faults: readonly NamedFault[],
  none: string,
): SourcesError {
  const reasons = faults.map(({ name, fault }) => `${name} ${fault.message}`).join('; ') || none;
  const isWrong = faults.some(({ fault }) => fault.isWrong);
  return new SourcesError('unavailable', `${card.id}: the weights cannot be downloaded: ${reasons}.`, {
    kind: isWrong ? 'model_damaged' : 'model_unreachable',
  });
}

/**
 * Tries one source.
 * @returns its fault, or null once the file is complete
 */
async function takeFrom(
  source: Source,
  card: WeightCard,
  file: PartFile,
  options: DownloadOptions,
): Promise<SourceFault | null> {
  for (const isFresh of [false, true]) {
    const fault = await fill(source, card, file, options);
    if (fault) return fault;
    const found = await file.sha256();
    if (found === card.sha256) return null;
    await file.clear();
    // Parts of two versions may be mixed: download once more from the start.
    if (isFresh)
      return wrongBytes(`sent different bytes than expected (SHA-256 ${found} instead of ${card.sha256})`);
  }
  return null;
}

function wrongBytes(message: string): SourceFault {
  return new SourceFault(message, { isLasting: true, isWrong: true });
}

/**
 * Fills the file from one source across interruptions.
 * @returns the fault, or null when complete
 */
async function fill(
  source: Source,
  card: WeightCard,
  file: PartFile,
  options: DownloadOptions,
): Promise<SourceFault | null> {
  for (let stalledTries = 0; ; ) {
    const size = await file.size();
    if (card.bytes !== null && size === card.bytes) return null;
    if (card.bytes !== null && size > card.bytes) await file.clear();
    const fault = await append(source, card, file, options);
    if (!fault) return null;
    stalledTries = (await file.size()) > size ? 0 : stalledTries + 1;
    if (fault.isLasting || stalledTries >= STALLED_TRIES_MAX) return fault;
    await pause(PAUSE_MS * 2 ** stalledTries, options.signal);
  }
}

/**
 * Makes one transfer.
 * @returns the reason why it ended early, or null
 */
async function append(
  source: Source,
  card: WeightCard,
  file: PartFile,
  { signal, onProgress }: DownloadOptions,
): Promise<SourceFault | null> {
  try {
    const size = await file.size();
    const { offset, bytesTotal, chunks, cancel } = await source.open(size, signal);
    if (card.bytes !== null && bytesTotal !== null && bytesTotal !== card.bytes) {
      cancel();
      return wrongBytes(`has a file of ${bytesTotal} bytes instead of ${card.bytes}`);
    }
    if (offset !== size) await file.clear();
    let done = offset === size ? size : 0;
    const bytesMax = card.bytes ?? bytesTotal ?? Number.POSITIVE_INFINITY;
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      if (done + chunk.length > bytesMax) {
        return wrongBytes(`sent more than ${bytesMax} bytes`);
      }
      await file.append(chunk);
      done += chunk.length;
      onProgress({ receivedBytes: done, totalBytes: card.bytes ?? bytesTotal });
    }
    if (done >= bytesMax || bytesMax === Number.POSITIVE_INFINITY) return null;
    return new SourceFault(`broke off after ${done} of ${bytesMax} bytes`, { isLasting: false });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof SourceFault) return cause;
    throw cause;
  }
}
