import { downloadWeights, type PartFile } from '../../../models/core/inference/download-weights.ts';
import type { Source } from '../../../models/core/inference/weight-source.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { WeightOptions, WeightSource } from '../../../models/core/runtime/inference.ts';
import { type Loading, loadingProgress } from '../../../models/core/runtime/progress.ts';
import { isComplete, type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import { getSha256 } from './fetch-source.ts';
import type { WeightFolder } from './weight-folder.ts';

export interface WeightStoreOptions {
  /** Folder of downloaded weights; null keeps them for this worker only. */
  readonly folder: WeightFolder | null;
  /** Sources of a file, in order. */
  readonly getSources: (card: WeightCard) => readonly Source[];
}

type Bytes = Uint8Array<ArrayBuffer>;

interface Fetching {
  readonly signal: AbortSignal;
  readonly onProgress: (loading: Loading) => void;
}

/** Limit on stored files named in a message. */
const NAMED_MAX = 3;

/** Polling interval of a tab that waits for another tab's download. */
const POLL_EVERY_MS = 250;

/**
 * Store of weights in the browser's private files, shared by all tabs. Each file is downloaded once, and read only if
 * its SHA-256 matches.
 */
export class WebWeightStore implements WeightSource {
  readonly #options: WeightStoreOptions;

  constructor(options: WeightStoreOptions) {
    this.#options = options;
  }

  /** Reports whether the weights are local. Bundled ones are cached with the page itself. */
  async has(card: WeightCard): Promise<boolean> {
    if (card.url === null) return true;
    const { folder } = this.#options;
    return folder !== null && isComplete(card, await folder.sizeOf(weightFileName(card)));
  }

  async read(card: WeightCard, { signal, onProgress }: WeightOptions): Promise<Bytes> {
    const { folder } = this.#options;
    const fetching: Fetching = {
      signal,
      onProgress: (loading) => onProgress?.(loadingProgress(loading)),
    };
    if (!folder || card.url === null) return this.#readIntoMemory(card, fetching);
    const name = weightFileName(card);
    for (const isFresh of [false, true]) {
      await this.#fetchOnce(card, folder, fetching);
      const bytes = await folder.read(name);
      if ((await getSha256(bytes)) === card.sha256) return bytes;
      if (!isFresh) await folder.remove(name);
    }
    throw new OperationError('unavailable', `${card.id}: the weights are damaged: their SHA-256 differs.`, {
      kind: 'model_damaged',
    });
  }

  async #readIntoMemory(card: WeightCard, fetching: Fetching): Promise<Bytes> {
    const file = memoryFile();
    await this.#download(card, file, fetching);
    return file.bytes();
  }

  /** Downloads once across tabs: the others wait, or take over if the downloading tab goes away. */
  async #fetchOnce(card: WeightCard, folder: WeightFolder, fetching: Fetching): Promise<void> {
    if (await this.has(card)) return;
    const name = weightFileName(card);
    const watching = setInterval(async () => {
      const receivedBytes = await folder.sizeOf(name).catch(() => 0);
      fetching.onProgress({ receivedBytes, totalBytes: card.bytes });
    }, POLL_EVERY_MS);
    await navigator.locks
      .request(`weights/${name}`, { signal: fetching.signal }, async () => {
        clearInterval(watching);
        if (!(await this.has(card))) await this.#fill(card, folder, fetching);
      })
      .finally(() => clearInterval(watching));
  }

  async #fill(card: WeightCard, folder: WeightFolder, fetching: Fetching): Promise<void> {
    const name = weightFileName(card);
    const file = await folder.open(name);
    try {
      await this.#download(card, file, fetching);
    } catch (cause) {
      throw isQuotaError(cause) ? await quotaExceeded(card, folder, cause) : cause;
    } finally {
      file.close();
      if ((await folder.sizeOf(name)) === 0) await folder.remove(name);
    }
  }

  #download(
    card: WeightCard,
    file: Parameters<typeof downloadWeights>[2],
    fetching: Fetching,
  ): Promise<void> {
    const sources = this.#options.getSources(card);
    return downloadWeights(card, sources, file, { ...fetching, none: 'no source has them' });
  }
}

function isQuotaError(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'QuotaExceededError';
}

async function quotaExceeded(
  card: WeightCard,
  folder: WeightFolder,
  cause: unknown,
): Promise<OperationError> {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const others = [...(await folder.list())].filter(([name]) => name !== weightFileName(card));
  const largest = others.sort(([, one], [, other]) => other - one).slice(0, NAMED_MAX);
  const stored = largest.map(([name, bytes]) => `${name}, ${megabytes(bytes)}`).join('; ');
  const size = card.bytes === null ? 'it' : `its ${megabytes(card.bytes)}`;
  const advice = stored ? `Delete models in the settings (${stored}), or free` : 'Free';
  return new OperationError(
    'unavailable',
    `${card.id}: this browser has no more storage for ${size}. ${advice} disk space. The partial download is kept.`,
    { kind: 'storage_full', cause },
  );
}

/** Creates a file that lives only as long as the worker, for browsers without a private file system. */
function memoryFile(): PartFile & { bytes(): Uint8Array<ArrayBuffer> } {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  const size = () => chunks.reduce((sum, { length }) => sum + length, 0);
  const bytes = () => {
    const whole = new Uint8Array(size());
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    chunks = [whole];
    return whole;
  };
  return {
    bytes,
    size: async () => size(),
    append: async (chunk) => void chunks.push(chunk),
    clear: async () => {
      chunks = [];
    },
    sha256: () => getSha256(bytes()),
  };
}
