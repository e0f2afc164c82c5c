import type { BatchItem, RunRequest } from './batch.ts';
import type { Batch } from './run-batch.ts';

/** Returns the files that this device may run. */
type FilesForDevice = (items: readonly BatchItem[], order: RunRequest) => Promise<readonly BatchItem[]>;

/** Starts the files of a batch that need no click, once it is known that this device can run them. */
export class AutoStart {
  readonly #batch: Batch;
  readonly #filesForDevice: FilesForDevice;
  /** Number of changes of the settings. */
  #renewals = 0;

  constructor(batch: Batch, filesForDevice: FilesForDevice) {
    this.#batch = batch;
    this.#filesForDevice = filesForDevice;
  }

  /** Drops the starts that are still pending: other settings replace theirs. */
  dropPending(): void {
    this.#renewals += 1;
  }

  /**
   * Starts the files that are due: one with a result keeps it until the new one is there. Several starts of the same
   * settings may be pending at once, since each may cover other files.
   */
  async start(order: RunRequest, isDue: (item: BatchItem) => boolean): Promise<void> {
    const renewals = this.#renewals;
    const fitting = idsOf(await this.#filesForDevice(this.#batch.view().items.filter(isDue), order));
    if (renewals !== this.#renewals) return;
    // Another start may have run some of them meanwhile.
    const items = this.#batch.view().items.filter((item) => fitting.includes(item.id) && isDue(item));
    if (items.length > 0) startOrRerun(this.#batch, order, idsOf(items));
  }
}

/** Runs files: one with a result keeps it until the new one is there. */
export function startOrRerun(batch: Batch, order: RunRequest, ids: readonly number[]): void {
  void batch.rerun(order, ids);
  void batch.start(order, ids);
}

export const idsOf = (items: readonly BatchItem[]): readonly number[] => items.map(({ id }) => id);
