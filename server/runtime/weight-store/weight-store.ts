import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import {
  downloadWeights,
  SourcesError,
  weightsUnavailable,
} from '../../../models/core/inference/download-weights.ts';
import type { OpenedSource } from '../../../models/core/inference/weight-source.ts';
import { SourceFault } from '../../../models/core/inference/weight-source.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { WeightOptions, WeightSource } from '../../../models/core/runtime/inference.ts';
import { type Loading, loadingProgress } from '../../../models/core/runtime/progress.ts';
import { isComplete, type WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { OWNER_ONLY } from '../../base/file-modes.ts';
import { DiskRoom, type DiskRoomOptions, type Eviction, evictionPath, type WantedRoom } from './disk-room.ts';
import { withFileLock } from './file-lock.ts';
import {
  confirmSources,
  errorCode,
  listSources,
  NO_SOURCE,
  openAnySource,
  type SourceOptions,
} from './sources.ts';
import {
  getLock,
  getPart,
  getPath,
  getSha256,
  markUse,
  readRefusal,
  refusalPath,
  removeRefusal,
  sizeOf,
  withPartFile,
  writeRefusal,
  writeUse,
} from './weight-files.ts';

/** By path: files verified in this process, or being verified, with their size and time. */
const checked = new Map<string, { readonly identity: string; readonly isRight: Promise<boolean> }>();

/** Room on the disk that downloads leave to everything else. */
const LEFT_BYTES_MIN = 500_000_000;

/** By default the weights are not limited, and downloads leave 500 MB on the disk. */
export interface WeightStoreOptions
  extends SourceOptions,
    Pick<DiskRoomOptions, 'directory'>,
    Partial<Pick<DiskRoomOptions, 'catalogue' | 'bytesMax' | 'leftBytesMin'>> {
  /** Fetches a missing or damaged file in place of this process, which may only read the folder. */
  readonly fetchElsewhere?: ((card: WeightCard, options: FetchOptions) => Promise<void>) | undefined;
}

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Receives the bytes of all files together. */
  readonly onProgress: (loading: Loading) => void;
  /** Also retries recently unavailable weights: for explicit requests by people. */
  readonly retriesRefused?: boolean;
  /** Deletes no other weights for these, which no run has asked for yet. */
  readonly keepsOthers?: boolean;
}

export interface StoredWeights {
  /** `whole` and `damaged` compare the byte count only: reading verifies the content. */
  readonly state: 'absent' | 'partial' | 'whole' | 'damaged';
  readonly bytes: number;
}

/**
 * Store of weight files in one folder that several processes share. Each file is downloaded once, and read only if
 * its SHA-256 matches.
 */
export class WeightStore implements WeightSource {
  readonly #options: WeightStoreOptions;
  readonly #room: DiskRoom;

  constructor(options: WeightStoreOptions) {
    const { directory, catalogue = [], bytesMax = Number.POSITIVE_INFINITY } = options;
    const { leftBytesMin = LEFT_BYTES_MIN } = options;
    this.#options = options;
    this.#room = new DiskRoom({
      directory,
      catalogue,
      bytesMax,
      leftBytesMin,
      hasSource: (card) => this.hasSource(card),
      isReached: async (card, signal) => (await confirmSources(card, options, signal)) === 'reached',
    });
  }

  /** Returns the path of the card's file, whether it exists or not. */
  getPath(card: WeightCard): string {
    return getPath(this.#options.directory, card);
  }

  /** Keeps a file from being deleted to make room, until the function that it returns is called. */
  markUse(card: WeightCard): () => void {
    return card.url === null ? () => {} : markUse(this.getPath(card));
  }

  /**
   * Deletes the least recently used weights beyond the limit whose sources respond now.
   * @returns the bytes beyond the limit that stay
   */
  trim(signal: AbortSignal): Promise<number> {
    return this.#room.trim(signal);
  }

  /** Returns the bytes of all downloaded weights together. */
  bytes(): Promise<number> {
    return this.#room.bytes();
  }

  /** Lists the weights that were deleted to make room and are not back, the last one first. */
  evictions(): Promise<Eviction[]> {
    return this.#room.evictions();
  }

  async state(card: WeightCard): Promise<StoredWeights> {
    const path = this.getPath(card);
    const bytes = await sizeOf(path);
    if (bytes !== null && isComplete(card, bytes)) return { state: 'whole', bytes };
    const partial = await sizeOf(getPart(path));
    if (partial !== null) return { state: 'partial', bytes: partial };
    return bytes === null ? { state: 'absent', bytes: 0 } : { state: 'damaged', bytes };
  }

  async has(card: WeightCard): Promise<boolean> {
    return (await this.state(card)).state === 'whole';
  }

  /** Reports whether a missing file fits here, and has a source that has not recently failed. */
  async mayFetch(card: WeightCard): Promise<boolean> {
    if (!this.#room.fits(card) || (await readRefusal(this.getPath(card)))) return false;
    return await this.hasSource(card);
  }

  /** Reports whether the file has any source, even one that has recently failed. */
  async hasSource(card: WeightCard): Promise<boolean> {
    const sources = listSources(card, this.#options);
    return (await Promise.all(sources.map((source) => source.mayHave()))).includes(true);
  }

  /** Reports whether a source has lately sent other bytes than the card says. */
  async isWrong(card: WeightCard): Promise<boolean> {
    return (await readRefusal(this.getPath(card)))?.isWrong ?? false;
  }

  /**
   * Confirms that a file is here or that a source responds in time. One that does not counts as unavailable for a
   * while, so that no request waits for it again.
   */
  async confirm(card: WeightCard, timeoutMs: number): Promise<boolean> {
    if (await this.has(card)) return true;
    if (!(await this.mayFetch(card))) return false;
    const confirmation = await confirmSources(card, this.#options, AbortSignal.timeout(timeoutMs));
    if (confirmation === 'reached') return true;
    const isWrong = confirmation === 'wrong';
    const reason = `${card.id}: ${isWrong ? 'a source has a file of another size' : 'no source responds'}.`;
    await writeRefusal(this.getPath(card), { reason, isWrong });
    return false;
  }

  /** Reports whether the file needs no network: it is stored, or a mirror that is a folder has it. */
  async isNear(card: WeightCard): Promise<boolean> {
    if (await this.has(card)) return true;
    const folders = listSources(card, { ...this.#options, isOffline: true });
    return (await Promise.all(folders.map((source) => source.mayHave()))).includes(true);
  }

  /**
   * Opens the bytes at their source without storing them: the reader verifies them.
   * @throws OperationError `unavailable` naming each source and its fault
   */
  openSource(card: WeightCard, offset: number, signal: AbortSignal): Promise<OpenedSource> {
    return openAnySource(card, this.#options, { offset, signal });
  }

  async read(card: WeightCard, { signal, onProgress }: WeightOptions): Promise<Uint8Array<ArrayBuffer>> {
    const options: FetchOptions = {
      signal,
      onProgress: (loading) => onProgress?.(loadingProgress(loading)),
    };
    for (const isFresh of [false, true]) {
      await this.#fetchOne(card, options);
      // The verified bytes are the ones that run: the file may change, these bytes may not.
      const bytes = await getBytes(this.getPath(card));
      if (bytes && createHash('sha256').update(bytes).digest('hex') === card.sha256) {
        if (card.url !== null) await writeUse(this.getPath(card), Date.now());
        return bytes;
      }
      if (isFresh || card.url === null) break;
      await this.removeDamaged(card, options);
    }
    throw new OperationError('unavailable', `${card.id}: the weights are damaged: their SHA-256 differs.`, {
      kind: 'model_damaged',
    });
  }

  /**
   * Downloads all of these files.
   * @throws OperationError `unavailable` naming the first unavailable one
   */
  async fetch(cards: readonly WeightCard[], { onProgress, ...options }: FetchOptions): Promise<void> {
    const done = new Map<WeightCard, number>();
    const totals = new Map(cards.map((card) => [card, card.bytes]));
    const report = () => {
      const sizes = [...totals.values()];
      const totalBytes = sizes.every((size) => size !== null) ? sum(sizes) : null;
      onProgress({ receivedBytes: sum([...done.values()]), totalBytes });
    };
    for (const card of cards) {
      await this.#fetchOne(card, {
        ...options,
        onProgress({ receivedBytes, totalBytes }) {
          done.set(card, receivedBytes);
          totals.set(card, totalBytes);
          report();
        },
      });
      const { bytes } = await this.state(card);
      done.set(card, bytes);
      totals.set(card, bytes);
      report();
    }
  }

  /** Reports whether the file exists and its SHA-256 matches. */
  async verify(card: WeightCard): Promise<boolean> {
    return (await this.has(card)) && (await getSha256(this.getPath(card))) === card.sha256;
  }

  /** Like `verify`, for frequent calls: rereads a verified file only once it has changed. */
  async isRight(card: WeightCard): Promise<boolean> {
    return (await this.has(card)) && (await matchesSha256(this.getPath(card), card.sha256));
  }

  /** Deletes a damaged file, and nothing of a running download. */
  async removeDamaged(card: WeightCard, options: FetchOptions): Promise<void> {
    if (card.url === null) return;
    const { fetchElsewhere } = this.#options;
    if (fetchElsewhere) return await fetchElsewhere(card, options);
    await this.#alone(card, options, async () => {
      // Another process may have replaced it with the correct one.
      if (!(await this.verify(card))) await rm(this.getPath(card), { force: true });
    });
  }

  /**
   * Deletes a file.
   * @returns the bytes freed. Bundled files stay.
   */
  async remove(card: WeightCard): Promise<number> {
    if (card.url === null) return 0;
    const path = this.getPath(card);
    const paths = [path, getPart(path), refusalPath(path), evictionPath(path)];
    const sizes = await Promise.all(paths.map(sizeOf));
    for (const each of paths) await rm(each, { force: true });
    return sum(sizes.map((bytes) => bytes ?? 0));
  }

  async #fetchOne(card: WeightCard, options: FetchOptions): Promise<void> {
    if (await this.has(card)) return;
    const { fetchElsewhere } = this.#options;
    if (fetchElsewhere) return await fetchElsewhere(card, options);
    await this.#alone(card, options, async () => {
      // Another process may have downloaded it, or found it unavailable.
      if (await this.has(card)) return;
      const refusal = options.retriesRefused ? null : await readRefusal(this.getPath(card));
      if (refusal) {
        const kind = refusal.isWrong ? 'model_damaged' : 'model_unreachable';
        throw new OperationError('unavailable', refusal.reason, { kind });
      }
      await this.#download(card, options);
    });
  }

  async #download(
    card: WeightCard,
    { signal, onProgress, keepsOthers = false }: FetchOptions,
  ): Promise<void> {
    const sources = listSources(card, this.#options);
    const path = this.getPath(card);
    const wanted = { mayEvict: !keepsOthers, signal };
    await this.#room.makeRoom(card, { ...wanted, bytes: card.bytes ?? 0 });
    await removeRefusal(path);
    try {
      await withPartFile(getPart(path), (file) =>
        downloadWeights(card, sources, file, { signal, onProgress, none: NO_SOURCE }),
      );
      if (card.bytes === null) await this.#makeRoomForPart(card, wanted);
      await rename(getPart(path), path);
      await rm(evictionPath(path), { force: true });
    } catch (error) {
      // Other failures can be fixed here, a disk's or a setting's: no request should wait for them.
      if (error instanceof SourcesError && sources.length > 0) {
        await writeRefusal(path, { reason: error.message, isWrong: error.kind === 'model_damaged' });
      }
      if (errorCode(error) !== 'ENOENT') throw error;
      const fault = new SourceFault('was deleted before the end', { isLasting: false });
      throw weightsUnavailable(card, [{ name: 'the partial file', fault }], NO_SOURCE);
    }
  }

  /** Makes room for a whole file whose size was not known before. @throws OperationError `unavailable`, without it */
  async #makeRoomForPart(card: WeightCard, wanted: Omit<WantedRoom, 'bytes'>): Promise<void> {
    const part = getPart(this.getPath(card));
    const bytes = (await sizeOf(part)) ?? 0;
    await this.#room.makeRoom(card, { ...wanted, bytes }).catch(async (thrown: unknown) => {
      await rm(part, { force: true });
      throw thrown;
    });
  }

  /** Runs alone across processes. Waiters see the progress of the other process. */
  async #alone(
    card: WeightCard,
    { signal, onProgress }: FetchOptions,
    work: () => Promise<void>,
  ): Promise<void> {
    await mkdir(this.#options.directory, { recursive: true, mode: OWNER_ONLY.folder });
    const onWait = async () => {
      const { bytes } = await this.state(card);
      onProgress({ receivedBytes: bytes, totalBytes: card.bytes });
    };
    await withFileLock(getLock(this.getPath(card)), { signal, onWait }, work);
  }
}

/**
 * Returns a file's bytes.
 * @returns null where another process has just deleted the file
 */
async function getBytes(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  return readFile(path).then(
    (bytes) => new Uint8Array(bytes),
    (error) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    },
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Reports whether a file has this SHA-256. Reads it once for all callers while its size and time stay the same. */
async function matchesSha256(path: string, sha256: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return false;
  // Each use of the file updates its time, to the millisecond.
  const identity = `${sha256} ${found.size} ${Math.round(found.mtimeMs)}`;
  const known = checked.get(path);
  if (known?.identity === identity) return known.isRight;
  const isRight = check(path, sha256);
  checked.set(path, { identity, isRight });
  return isRight;
}

async function check(path: string, sha256: string): Promise<boolean> {
  // An unreadable file is as useless as a wrong one.
  const isRight = await getSha256(path).then(
    (found) => found === sha256,
    () => false,
  );
  if (!isRight) checked.delete(path);
  return isRight;
}
