import { Cell } from '../../../models/core/cell.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Draft, Progress, ReportDraft, ReportProgress } from '../../../models/core/runtime/progress.ts';
import { describeFailure, isNotDownloaded } from '../failures/describe-failure.ts';
import type { BatchItem, BatchView, FileResult, ItemState, RunFile, RunRequest } from './batch.ts';

const WAITING: ItemState = { phase: 'waiting' };

/**
 * Files that go through one operation, a few at a time. Independent of the page: the caller supplies the function
 * that runs one file, and listeners hear of every change.
 */
export class Batch {
  readonly #runFile: RunFile;
  readonly #lanes: number;
  readonly #view = new Cell<BatchView>({ items: [], isRunning: false });
  #work: AbortController | undefined;
  /** Orders of the files in the current run. */
  readonly #requests = new Map<number, RunRequest>();
  /**
   * Request for all other files, including those added during the run; undefined when the run covers only chosen files.
   */
  #requestForRest: RunRequest | undefined;
  /** Earlier results of files that are being rerun. */
  readonly #earlier = new Map<number, ItemState>();
  /** Ends of the runs under way, by file. */
  readonly #running = new Map<number, AbortController>();
  #busyLanes = 0;
  #ended: Promise<void> = Promise.resolve();
  #end = (): void => {};
  #lastId = 0;

  /**
   * @param lanes number of files processed at the same time, at least 1
   * @param idBase smaller than every id: above all ids of items that may be restored
   */
  constructor(runFile: RunFile, lanes: number, idBase = 0) {
    this.#runFile = runFile;
    this.#lanes = lanes;
    this.#lastId = idBase;
  }

  readonly subscribe = this.#view.subscribe;

  /** Returns the same object until something changes. */
  readonly view = this.#view.get;

  /**
   * Adds files.
   * @returns the id of the first file added
   */
  add(files: readonly File[]): number {
    const firstId = this.#lastId + 1;
    const added = files.map((file): BatchItem => ({ id: ++this.#lastId, file, state: WAITING }));
    this.#change({ items: [...this.view().items, ...added] });
    return firstId;
  }

  /** Removes a file, unless it is running. */
  remove(id: number): void {
    this.#change({
      items: this.view().items.filter((item) => item.id !== id || item.state.phase === 'running'),
    });
  }

  /** Removes all files, unless some are running. */
  removeAll(): void {
    if (!this.view().isRunning) this.#change({ items: [] });
  }

  /** Puts items back in their places: those of an earlier page, or removed ones. */
  restore(items: readonly BatchItem[]): void {
    const present = new Set(this.view().items.map(({ id }) => id));
    const absent = items.filter(({ id }) => !present.has(id));
    this.#change({ items: [...this.view().items, ...absent].toSorted((one, other) => one.id - other.id) });
  }

  /** Drops all results, because the params that made them changed; every file waits again. */
  reset(): void {
    if (!this.view().isRunning) this.#setAll(() => WAITING);
  }

  /**
   * Processes every file without a result, or only the files with the given ids. Files started during a run join it,
   * each under its own request, so a file meant for this device never goes to the server. Settles when all files are
   * done, failed or cancelled.
   */
  async start(request: RunRequest, ids?: readonly number[]): Promise<void> {
    this.#setAll(({ id, state }) =>
      state.phase === 'failed' && (ids?.includes(id) ?? true) ? WAITING : state,
    );
    for (const id of ids ?? []) this.#requests.set(id, request);
    if (!ids) this.#requestForRest = request;
    if (!this.view().isRunning) this.#open();
    this.#fillLanes();
    await this.#ended;
  }

  /** Reruns files that have a result. Each keeps the old result until the new one is ready. */
  async rerun(request: RunRequest, ids: readonly number[]): Promise<void> {
    const done = this.view().items.filter(({ id, state }) => ids.includes(id) && state.phase === 'done');
    if (done.length === 0) return;
    for (const { id, state } of done) {
      this.#earlier.set(id, state);
      this.#set(id, WAITING);
    }
    const doneIds = done.map(({ id }) => id);
    await this.start(request, doneIds);
  }

  /** Puts a state in the place of a file's own, unless the file is running or gone. */
  replace(id: number, state: ItemState): void {
    this.#setAll((item) => (item.id === id && item.state.phase !== 'running' ? state : item.state));
  }

  /** Returns the result that a file has while it is being rerun. */
  earlierState(id: number): ItemState | undefined {
    return this.#earlier.get(id);
  }

  /** Ends the rerun of one file, which keeps its earlier result. */
  cancelRerun(id: number): void {
    const earlier = this.#earlier.get(id);
    if (!earlier) return;
    const running = this.#running.get(id);
    if (running) {
      running.abort();
      return;
    }
    this.#earlier.delete(id);
    this.#set(id, earlier);
  }

  /** Aborts all running files. Files with a result keep it; the others wait again. */
  cancel(): void {
    this.#work?.abort();
  }

  #open(): void {
    this.#work = new AbortController();
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#change({ isRunning: true });
  }

  #fillLanes(): void {
    const { signal } = this.#work as AbortController;
    while (this.#busyLanes < this.#lanes && !signal.aborted) {
      const next = this.#next();
      if (!next) break;
      this.#busyLanes += 1;
      void this.#runItem(next.item, next.request, signal).then(() => {
        this.#busyLanes -= 1;
        this.#fillLanes();
      });
    }
    if (this.#busyLanes === 0) this.#close();
  }

  #close(): void {
    this.#setAll(({ id, state }) => (state.phase === 'waiting' && this.#earlier.get(id)) || state);
    this.#requests.clear();
    this.#requestForRest = undefined;
    this.#earlier.clear();
    this.#change({ isRunning: false });
    this.#end();
  }

  #next(): { item: BatchItem; request: RunRequest } | undefined {
    for (const item of this.view().items) {
      const request = this.#requests.get(item.id) ?? this.#requestForRest;
      if (request && item.state.phase === 'waiting') return { item, request };
    }
    return undefined;
  }

  async #runItem({ id, file }: BatchItem, request: RunRequest, signal: AbortSignal): Promise<void> {
    const place = request.location === 'server' ? { isOnServer: true } : {};
    let reached: Progress = { fraction: 0 };
    let draft: Draft | undefined;
    const show = () =>
      this.#set(id, { phase: 'running', ...place, ...reached, step: nameStep(reached), draft });
    const onProgress: ReportProgress = (progress) => {
      reached = progress;
      show();
    };
    const onDraft: ReportDraft = (found) => {
      draft = found;
      show();
    };
    show();
    const earlier = this.#earlier.get(id) ?? WAITING;
    const own = new AbortController();
    this.#running.set(id, own);
    const options = { signal: AbortSignal.any([signal, own.signal]), onProgress, onDraft };
    const state = await runToState(() => this.#runFile(file, request, options), request, earlier);
    this.#running.delete(id);
    this.#earlier.delete(id);
    this.#set(id, state);
  }

  #set(id: number, state: ItemState): void {
    this.#setAll((item) => (item.id === id ? state : item.state));
  }

  #setAll(next: (item: BatchItem) => ItemState): void {
    const items = this.view().items.map((item) => {
      const state = next(item);
      return state === item.state ? item : { ...item, state };
    });
    this.#change({ items });
  }

  #change(part: Partial<BatchView>): void {
    this.#view.set((before) => ({ ...before, ...part }));
  }
}

/** Names the step of a run. Before its first one a worker starts, and loads code and models. */
function nameStep({ step, fraction, count, isEstimate }: Progress): string | undefined {
  return step ?? ((fraction === 0 || isEstimate) && !count ? 'starting' : undefined);
}

/**
 * Runs one file and returns the state that it is in afterwards. Never rejects.
 * @param earlier state before the run, which stays after a cancelled one; a result stays after a failed one too
 */
export async function runToState(
  run: () => Promise<FileResult>,
  { values, isAutomatic = false }: RunRequest,
  earlier: ItemState,
): Promise<ItemState> {
  const startedAtMs = performance.now();
  try {
    const result = await run();
    const durationSeconds = (performance.now() - startedAtMs) / 1000;
    return { phase: 'done', result, durationSeconds, ...resultParams(values) };
  } catch (error) {
    const code = error instanceof OperationError ? error.code : 'internal';
    if (code === 'cancelled') return earlier;
    const message = describeFailure(error);
    if (earlier.phase === 'done') {
      if (isAutomatic && error instanceof OperationError && isNotDownloaded(error.kind)) return earlier;
      return { ...earlier, rerunError: message };
    }
    return { phase: 'failed', message, code, ...resultParams(values) };
  }
}

const resultParams = (values: RunRequest['values']) => (values ? { resultParams: values } : {});
