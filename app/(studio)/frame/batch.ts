import { type ErrorCode, messageOf, OperationError } from '../../../models/errors.ts';
import type { RunResult } from '../../../models/operation.ts';
import type { Count } from '../../../models/runtime.ts';
import { nounFor } from '../media-kind.ts';
import { count } from '../quantities.ts';

/** Where a file is worked on. */
export type Where = 'device' | 'server';

/** What one file gave, on whichever side it was worked on. */
export interface FileResult extends Pick<RunResult, 'files' | 'warnings' | 'details'> {
  /** Absent for what the page itself has made of a result. */
  readonly engine?: string;
  /** What it took, when the server made it; the amount is a decimal string in US dollars. */
  readonly server?: { readonly sentBytes: number; readonly chargedUsd: string };
}

/** How far the work on one file is. */
export interface Progress {
  /** 0 to 1 */
  readonly fraction: number;
  /** How many of its parts are done, where they are counted. */
  readonly count?: Count | undefined;
  /** Whether it waits for codecs, networks and their weights, which are loaded when they are needed. */
  readonly isLoading?: boolean | undefined;
  /** What the server does at the moment. */
  readonly step?: string;
}

export type ItemState =
  | { readonly phase: 'waiting' }
  | ({ readonly phase: 'running' } & Progress)
  | {
      readonly phase: 'done';
      readonly result: FileResult;
      readonly durationSeconds: number;
      /** Why the file has this result still, and not that of a later run. */
      readonly laterFailure?: string;
    }
  | { readonly phase: 'failed'; readonly message: string; readonly code: ErrorCode };

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

/** How files are to be worked on, and where. */
export interface Order {
  readonly paramsFor: (file: File) => object;
  readonly where: Where;
}

export type RunFile = (
  file: File,
  order: Order,
  options: { signal: AbortSignal; onProgress: (progress: Progress) => void },
) => Promise<FileResult>;

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
  /** How each file is to be worked on that the work is about. */
  readonly #orders = new Map<number, Order>();
  /** The same for all others, those added meanwhile included; undefined when it is not about them. */
  #orderForRest: Order | undefined;
  /** What files had that are worked on anew. */
  readonly #earlier = new Map<number, ItemState>();
  #busyLanes = 0;
  #ended: Promise<void> = Promise.resolve();
  #end = (): void => {};
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

  /** Forgets all results, so that the files wait again: what they were made with has changed. */
  reset(): void {
    if (!this.#view.isRunning) this.#setAll(() => WAITING);
  }

  /**
   * Works on everything that has no result yet, or on those files alone whose ids are given. While work is under way
   * they join it, each under its own order: what is meant for this device never goes elsewhere because other files do.
   * Settles when all is done, failed or cancelled.
   */
  async start(order: Order, ids?: readonly number[]): Promise<void> {
    this.#setAll(({ id, state }) =>
      state.phase === 'failed' && (ids?.includes(id) ?? true) ? WAITING : state,
    );
    for (const id of ids ?? []) this.#orders.set(id, order);
    if (!ids) this.#orderForRest = order;
    if (!this.#view.isRunning) this.#open();
    this.#fillLanes();
    await this.#ended;
  }

  /** Works anew on a file that has a result, which it keeps until there is another. */
  async again(order: Order, id: number): Promise<void> {
    const item = this.#view.items.find((each) => each.id === id);
    if (item?.state.phase !== 'done') return;
    this.#earlier.set(id, item.state);
    this.#set(id, WAITING);
    await this.start(order, [id]);
  }

  /** Ends all work at once. What has a result keeps it; the rest waits again. */
  cancel(): void {
    this.#work?.abort();
  }

  #open(): void {
    this.#work = new AbortController();
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#change({ isRunning: true, startedAtMs: performance.now() });
  }

  #fillLanes(): void {
    const { signal } = this.#work as AbortController;
    while (this.#busyLanes < this.#lanes && !signal.aborted) {
      const next = this.#next();
      if (!next) break;
      this.#busyLanes += 1;
      void this.#runItem(next.item, next.order, signal).then(() => {
        this.#busyLanes -= 1;
        this.#fillLanes();
      });
    }
    if (this.#busyLanes === 0) this.#close();
  }

  #close(): void {
    this.#setAll(({ id, state }) => (state.phase === 'waiting' && this.#earlier.get(id)) || state);
    this.#orders.clear();
    this.#orderForRest = undefined;
    this.#earlier.clear();
    this.#change({ isRunning: false });
    this.#end();
  }

  #next(): { item: BatchItem; order: Order } | undefined {
    for (const item of this.#view.items) {
      const order = this.#orders.get(item.id) ?? this.#orderForRest;
      if (order && item.state.phase === 'waiting') return { item, order };
    }
    return undefined;
  }

  async #runItem({ id, file }: BatchItem, order: Order, signal: AbortSignal): Promise<void> {
    const startedAtMs = performance.now();
    const onProgress = (progress: Progress) => this.#set(id, { phase: 'running', ...progress });
    onProgress({ fraction: 0 });
    try {
      const result = await this.#runFile(file, order, { signal, onProgress });
      this.#set(id, { phase: 'done', result, durationSeconds: (performance.now() - startedAtMs) / 1000 });
    } catch (error) {
      this.#set(id, stateAfter(error, this.#earlier.get(id)));
    }
  }

  #set(id: number, state: ItemState): void {
    this.#setAll((item) => (item.id === id ? state : item.state));
  }

  #setAll(next: (item: BatchItem) => ItemState): void {
    const items = this.#view.items.map((item) => {
      const state = next(item);
      return state === item.state ? item : { ...item, state };
    });
    this.#change({ items });
  }

  #change(part: Partial<BatchView>): void {
    this.#view = { ...this.#view, ...part };
    for (const listener of this.#listeners) listener();
  }
}

function stateAfter(error: unknown, earlier: ItemState = WAITING): ItemState {
  const code = error instanceof OperationError ? error.code : 'internal';
  if (code === 'cancelled') return earlier;
  const message = messageOf(error);
  return earlier.phase === 'done'
    ? { ...earlier, laterFailure: message }
    : { phase: 'failed', message, code };
}

/** How many files there are, in words: `3 pictures`. */
export function countFiles(items: readonly BatchItem[]): string {
  return count(items.length, nounFor(items.map(({ file }) => file)));
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
