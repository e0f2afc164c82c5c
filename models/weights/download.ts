import { OperationError } from '../errors.ts';
import { type Source, SourceFault } from './source.ts';
import type { WeightCard } from './weight-card.ts';

/** A file that grows while it is downloaded, and holds what came before when it is opened again. */
export interface PartFile {
  size(): Promise<number>;
  /** @throws OperationError `unavailable` when there is no room */
  append(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Makes it empty. */
  clear(): Promise<void>;
  /** Of what is in it, in hex. */
  sha256(): Promise<string>;
}

export interface DownloadOptions {
  readonly signal: AbortSignal;
  /** @param bytesTotal null while nobody knows */
  readonly onProgress: (bytesDone: number, bytesTotal: number | null) => void;
  /** Waits, or throws when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Tries in a row that may bring nothing new before a source is given up. */
const FRUITLESS_TRIES_MAX = 3;
const PAUSE_MS = 500;

/**
 * Fills a file with weights from the first source that has them, going on where an earlier download broke off. It
 * returns only once the file's SHA-256 is the card's.
 * @param none why there may be no source at all
 * @throws OperationError `unavailable` naming each source and what was wrong with it, or the room that lacks
 */
export async function downloadWeights(
  card: WeightCard,
  sources: readonly Source[],
  file: PartFile,
  options: DownloadOptions & { readonly none: string },
): Promise<void> {
  const faults: string[] = [];
  for (const source of sources) {
    const fault = await takeFrom(source, card, file, options);
    if (!fault) return;
    faults.push(`${source.name} ${fault}`);
  }
  throw unavailable(card, faults, options.none);
}

/** No source gave the weights: asking again at once would be in vain. */
export class SourcesError extends OperationError {}

/** @param none why there may be no source at all */
export function unavailable(card: WeightCard, faults: readonly string[], none: string): SourcesError {
  const reasons = faults.join('; ') || none;
  return new SourcesError('unavailable', `${card.id}: the weights cannot be had: ${reasons}.`);
}

/** @returns what is wrong with the source, or null once the file is right */
async function takeFrom(
  source: Source,
  card: WeightCard,
  file: PartFile,
  options: DownloadOptions,
): Promise<string | null> {
  for (const isFresh of [false, true]) {
    const fault = await fill(source, card, file, options);
    if (fault) return fault;
    const found = await file.sha256();
    if (found === card.sha256) return null;
    await file.clear();
    // Halves of two versions may have been put together: once more from the start tells.
    if (isFresh) return `sent other bytes than expected (SHA-256 ${found} instead of ${card.sha256})`;
  }
  return null;
}

/** Fills the file from one source, over as many breaks as it takes. @returns what is wrong, or null when full */
async function fill(
  source: Source,
  card: WeightCard,
  file: PartFile,
  options: DownloadOptions,
): Promise<string | null> {
  for (let fruitless = 0; ; ) {
    const size = await file.size();
    if (card.bytes !== null && size === card.bytes) return null;
    if (card.bytes !== null && size > card.bytes) await file.clear();
    const fault = await append(source, card, file, options);
    if (!fault) return null;
    fruitless = (await file.size()) > size ? 0 : fruitless + 1;
    if (fault.isLasting || fruitless >= FRUITLESS_TRIES_MAX) return fault.message;
    await options.pause(PAUSE_MS * 2 ** fruitless, options.signal);
  }
}

/** One transfer. @returns why it ended before the end, or null */
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
      const message = `has a file of ${bytesTotal} bytes instead of ${card.bytes}`;
      return new SourceFault(message, { isLasting: true });
    }
    if (offset !== size) await file.clear();
    let done = offset === size ? size : 0;
    const bytesMax = card.bytes ?? bytesTotal ?? Number.POSITIVE_INFINITY;
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      if (done + chunk.length > bytesMax) {
        return new SourceFault(`sent more than ${bytesMax} bytes`, { isLasting: true });
      }
      await file.append(chunk);
      done += chunk.length;
      onProgress(done, card.bytes ?? bytesTotal);
    }
    if (done >= bytesMax || bytesMax === Number.POSITIVE_INFINITY) return null;
    return new SourceFault(`broke off after ${done} of ${bytesMax} bytes`, { isLasting: false });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof SourceFault) return cause;
    throw cause;
  }
}
