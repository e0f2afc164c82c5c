import { OperationError } from '../../../models/errors.ts';
import type { RunResult } from '../../../models/operation.ts';

export type ItemState =
  | { readonly phase: 'waiting' }
  | { readonly phase: 'running'; readonly fraction: number }
  | { readonly phase: 'done'; readonly result: RunResult; readonly durationSeconds: number }
  | { readonly phase: 'failed'; readonly message: string };

export interface BatchItem {
  readonly id: number;
  readonly file: File;
  readonly state: ItemState;
}

export interface BatchView {
  readonly items: readonly BatchItem[];
  readonly isRunning: boolean;
  /** When the work that is running began, in milliseconds of `performance.now()`. */
  readonly startedAtMs: number;
}

export type RunFile = (
  file: File,
  params: object,
  options: { signal: AbortSignal; onProgress: (fraction: number) => void },
) => Promise<RunResult>;

const WAITING: ItemState = { phase: 'waiting' };

/**
 * Files that go through one operation, a few at a time. Knows nothing of the page: it is told how to run one file, and
 * tells its listeners when anything has changed.
 */
export class Batch {
  readonly #runFile: RunFile;
  readonly #lanes: number;
  readonly #listeners = new Set<() => void>();
  #view: BatchView = { items: [], isRunning: false, startedAtMs: 0 };
  #work: AbortController | undefined;
  #lastId = 0;

  /** @param lanes how many files are worked on at the same time, at least 1 */
  constructor(runFile: RunFile, lanes: number) {
    this.#runFile = runFile;
    this.#lanes = lanes;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The same object until something changes. */
  readonly view = (): BatchView => this.#view;

  /** @returns the id of the first file added */
  add(files: readonly File[]): number {
    const firstId = this.#lastId + 1;
    const added = files.map((file): BatchItem => ({ id: ++this.#lastId, file, state: WAITING }));
    this.#change({ items: [...this.#view.items, ...added] });
    return firstId;
  }

  /** Does nothing to a file that is being worked on. */
  remove(id: number): void {
    this.#change({
      items: this.#view.items.filter((item) => item.id !== id || item.state.phase === 'running'),
    });
  }

  /** Forgets results, so that all files wait again: what they were made with has changed. */
  reset(): void {
    if (!this.#view.isRunning) this.#setAll(() => WAITING);
  }

  /** Works on everything that has no result yet. Settles when all is done, failed or cancelled. */
  async start(params: object): Promise<void> {
    if (this.#view.isRunning) return;
    const work = new AbortController();
    this.#work = work;
    this.#setAll((state) => (state.phase === 'failed' ? WAITING : state));
    this.#change({ isRunning: true, startedAtMs: performance.now() });
    const lane = async () => {
      for (let item = this.#next(); item && !work.signal.aborted; item = this.#next()) {
        await this.#runItem(item, params, work.signal);
      }
    };
    await Promise.all(Array.from({ length: this.#lanes }, lane));
    this.#change({ isRunning: false });
  }

  /** Ends all work at once. What has a result keeps it; the rest waits again. */
  cancel(): void {
    this.#work?.abort();
  }

  #next(): BatchItem | undefined {
    return this.#view.items.find(({ state }) => state.phase === 'waiting');
  }

  async #runItem({ id, file }: BatchItem, params: object, signal: AbortSignal): Promise<void> {
    const startedAtMs = performance.now();
    const onProgress = (fraction: number) => this.#set(id, { phase: 'running', fraction });
    onProgress(0);
    try {
      const result = await this.#runFile(file, params, { signal, onProgress });
      this.#set(id, { phase: 'done', result, durationSeconds: (performance.now() - startedAtMs) / 1000 });
    } catch (error) {
      const isCancelled = error instanceof OperationError && error.code === 'cancelled';
      const message = error instanceof Error ? error.message : String(error);
      this.#set(id, isCancelled ? WAITING : { phase: 'failed', message });
    }
  }

  #set(id: number, state: ItemState): void {
    this.#change({ items: this.#view.items.map((item) => (item.id === id ? { ...item, state } : item)) });
  }

  #setAll(next: (state: ItemState) => ItemState): void {
    this.#change({ items: this.#view.items.map((item) => ({ ...item, state: next(item.state) })) });
  }

  #change(part: Partial<BatchView>): void {
    this.#view = { ...this.#view, ...part };
    for (const listener of this.#listeners) listener();
  }
}

/** Done work as a share of all, 0 to 1, each file counted by its size. */
export function progressOf(items: readonly BatchItem[]): number {
  const weight = ({ file }: BatchItem) => file.size + 1;
  const total = items.reduce((sum, item) => sum + weight(item), 0);
  const done = items.reduce((sum, item) => sum + weight(item) * fractionOf(item.state), 0);
  return total === 0 ? 0 : done / total;
}

function fractionOf(state: ItemState): number {
  if (state.phase === 'running') return state.fraction;
  return state.phase === 'waiting' ? 0 : 1;
}
