import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OperationError } from '../../../models/errors.ts';
import type { WeightOptions, WeightSource } from '../../../models/inference.ts';
import { downloadWeights, SourcesError, unavailable } from '../../../models/weights/download.ts';
import { type OpenedSource, SourceFault } from '../../../models/weights/source.ts';
import { isWhole, type WeightCard, weightFileName } from '../../../models/weights/weight-card.ts';
import { isRightFile } from './checked-files.ts';
import { withFileLock } from './file-lock.ts';
import { sha256Of, withPartFile } from './part-file.ts';
import { readRefusal, refusalOf, removeRefusal, writeRefusal } from './refusal.ts';
import { codeOf, type SourceOptions, sourcesOf } from './sources.ts';

/** In two steps: a bundler would take an address written whole for a module, and not find it. */
const besideThis = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Weights that come with the package. */
const BUNDLED_DIR = besideThis('../../../models/weights');

const NO_SOURCE = 'no source may be asked (MODELS_OFFLINE is set and MODEL_MIRROR has none)';

export interface WeightStoreOptions extends SourceOptions {
  /** Where downloaded weights are kept. */
  readonly directory: string;
}

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Over all files together. @param bytesTotal null while a size is not known */
  readonly onProgress: (bytesDone: number, bytesTotal: number | null) => void;
  /** Also what could not be had a moment ago: for people who ask, and know better. */
  readonly asksAgain?: boolean;
}

export interface StoredWeights {
  /** `whole` and `damaged` go by the number of bytes alone: reading tells whether they are right. */
  readonly state: 'absent' | 'partial' | 'whole' | 'damaged';
  readonly bytes: number;
}

/** Files of weights in one folder that several processes share. Each is downloaded once, and read only if it is right. */
export class WeightStore implements WeightSource {
  readonly #options: WeightStoreOptions;

  constructor(options: WeightStoreOptions) {
    this.#options = options;
  }

  /** The card's file, whether it is there or not. */
  pathOf(card: WeightCard): string {
    return join(card.url === null ? BUNDLED_DIR : this.#options.directory, weightFileName(card));
  }

  async state(card: WeightCard): Promise<StoredWeights> {
    const path = this.pathOf(card);
    const bytes = await sizeOf(path);
    if (bytes !== null && isWhole(card, bytes)) return { state: 'whole', bytes };
    const partial = await sizeOf(partOf(path));
    if (partial !== null) return { state: 'partial', bytes: partial };
    return bytes === null ? { state: 'absent', bytes: 0 } : { state: 'damaged', bytes };
  }

  async has(card: WeightCard): Promise<boolean> {
    return (await this.state(card)).state === 'whole';
  }

  /** Whether there is anywhere to ask for a file that is not here, and nobody has asked in vain a moment ago. */
  async mayFetch(card: WeightCard): Promise<boolean> {
    if (await readRefusal(this.pathOf(card))) return false;
    const sources = sourcesOf(card, this.#options);
    return (await Promise.all(sources.map((source) => source.mayHave()))).includes(true);
  }

  /**
   * The bytes as their source sends them, without keeping them: whoever takes them checks them.
   * @throws OperationError `unavailable` naming each source and what was wrong with it
   */
  async openSource(card: WeightCard, offset: number, signal: AbortSignal): Promise<OpenedSource> {
    const faults: string[] = [];
    for (const source of sourcesOf(card, this.#options)) {
      try {
        const opened = await source.open(offset, signal);
        if (card.bytes === null || opened.bytesTotal === card.bytes) return opened;
        opened.cancel();
        faults.push(`${source.name} has a file of another size`);
      } catch (fault) {
        if (!(fault instanceof SourceFault)) throw fault;
        faults.push(`${source.name} ${fault.message}`);
      }
    }
    throw unavailable(card, faults, NO_SOURCE);
  }

  async read(card: WeightCard, { signal, onProgress }: WeightOptions): Promise<Uint8Array<ArrayBuffer>> {
    const options: FetchOptions = {
      signal,
      onProgress: (done, total) => onProgress?.(total ? Math.min(1, done / total) : 0),
    };
    for (const isFresh of [false, true]) {
      await this.#fetchOne(card, options);
      // What is checked is what is run: the file may be changed by anyone, these bytes may not.
      const bytes = await bytesOf(this.pathOf(card));
      if (bytes && createHash('sha256').update(bytes).digest('hex') === card.sha256) return bytes;
      if (isFresh || card.url === null) break;
      await this.removeDamaged(card, options);
    }
    throw new OperationError('unavailable', `${card.id}: the weights are damaged: their SHA-256 is another.`);
  }

  /**
   * Brings all of these files here.
   * @throws OperationError `unavailable` naming the first that cannot be had
   */
  async fetch(cards: readonly WeightCard[], { onProgress, ...options }: FetchOptions): Promise<void> {
    const done = new Map<WeightCard, number>();
    const totals = new Map(cards.map((card) => [card, card.bytes]));
    const report = () => {
      const sizes = [...totals.values()];
      onProgress(sum([...done.values()]), sizes.every((size) => size !== null) ? sum(sizes) : null);
    };
    for (const card of cards) {
      await this.#fetchOne(card, {
        ...options,
        onProgress(bytesDone, bytesTotal) {
          done.set(card, bytesDone);
          totals.set(card, bytesTotal);
          report();
        },
      });
      const { bytes } = await this.state(card);
      done.set(card, bytes);
      totals.set(card, bytes);
      report();
    }
  }

  /** Whether the file is there and right. */
  async verify(card: WeightCard): Promise<boolean> {
    return (await this.has(card)) && (await sha256Of(this.pathOf(card))) === card.sha256;
  }

  /** The same for those who ask often: a file that was found right is read again only once it has changed. */
  async isRight(card: WeightCard): Promise<boolean> {
    return (await this.has(card)) && (await isRightFile(this.pathOf(card), card.sha256));
  }

  /** Removes a file that is not right, and nothing of a download that is under way. */
  async removeDamaged(card: WeightCard, options: FetchOptions): Promise<void> {
    if (card.url === null) return;
    await this.#alone(card, options, async () => {
      // Another process may have put the right one in its place meanwhile.
      if (!(await this.verify(card))) await rm(this.pathOf(card), { force: true });
    });
  }

  /** @returns how many bytes came free. What comes with the package stays. */
  async remove(card: WeightCard): Promise<number> {
    if (card.url === null) return 0;
    const path = this.pathOf(card);
    const paths = [path, partOf(path), refusalOf(path)];
    const sizes = await Promise.all(paths.map(sizeOf));
    for (const each of paths) await rm(each, { force: true });
    return sum(sizes.map((bytes) => bytes ?? 0));
  }

  async #fetchOne(card: WeightCard, options: FetchOptions): Promise<void> {
    if (await this.has(card)) return;
    await this.#alone(card, options, async () => {
      // Another process may have brought it meanwhile, or found that it cannot be had.
      if (await this.has(card)) return;
      const refusal = options.asksAgain ? null : await readRefusal(this.pathOf(card));
      if (refusal) throw new OperationError('unavailable', refusal);
      await this.#download(card, options);
    });
  }

  async #download(card: WeightCard, { signal, onProgress }: FetchOptions): Promise<void> {
    const sources = sourcesOf(card, this.#options);
    const path = this.pathOf(card);
    const pause = (ms: number) => setTimeout(ms, undefined, { signal });
    await removeRefusal(path);
    try {
      await withPartFile(partOf(path), (file) =>
        downloadWeights(card, sources, file, { signal, onProgress, pause, none: NO_SOURCE }),
      );
      await rename(partOf(path), path);
    } catch (error) {
      // Other failures can be mended here, a disk's or a setting's: no reason to make anybody wait.
      if (error instanceof SourcesError && sources.length > 0) await writeRefusal(path, error.message);
      if (codeOf(error) !== 'ENOENT') throw error;
      throw unavailable(card, ['what had come was removed before the end'], NO_SOURCE);
    }
  }

  /** Whoever waits for another process sees how far that one is. */
  async #alone(
    card: WeightCard,
    { signal, onProgress }: FetchOptions,
    work: () => Promise<void>,
  ): Promise<void> {
    await mkdir(this.#options.directory, { recursive: true });
    const onWait = async () => onProgress((await this.state(card)).bytes, card.bytes);
    await withFileLock(`${this.pathOf(card)}.lock`, { signal, onWait }, work);
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}

/** @returns null where another process has just removed the file */
async function bytesOf(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  return readFile(path).then(
    (bytes) => new Uint8Array(bytes),
    (error) => {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    },
  );
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
