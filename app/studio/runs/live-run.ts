import { Cell } from '../../../models/core/cell.ts';
import { pause } from '../../../models/core/concurrency.ts';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import type { BatchItem, DoneState, ItemState, RunFile, RunRequest } from './batch.ts';
import { type Batch, runToState } from './run-batch.ts';

/** Pause after the last change of a setting: a slider passes many values on its way. */
export const LIVE_PAUSE_MS = 400;

/** The live run of a batch, from the request on. */
export interface LiveView {
  readonly id: number;
  /** Undefined during the pause before the run. */
  readonly progress: Progress | undefined;
}

interface LiveOptions {
  readonly pauseMs?: number;
  /** Called with a live result whose place a newer one takes. */
  readonly onReplaced?: (replaced: DoneState) => void;
}

/**
 * Reruns one file of a batch whenever its settings change, a pause after the last change. A newer request cancels
 * the run under way, so there is never more than one, and none waits. The file stays in its state until the new result
 * is there. Runs on the device only, and ends when the batch itself runs the file or the file is removed. One that
 * started automatically ends when the batch runs any file.
 */
export class LiveRun {
  readonly #batch: Batch;
  readonly #runFile: RunFile;
  readonly #options: LiveOptions;
  readonly #view = new Cell<LiveView | null>(null);
  #ending: AbortController | undefined;
  #isAutomatic = false;
  #settled: Promise<unknown> = Promise.resolve();

  constructor(batch: Batch, runFile: RunFile, options: LiveOptions = {}) {
    this.#batch = batch;
    this.#runFile = runFile;
    this.#options = options;
    batch.subscribe(() => {
      const requested = this.view();
      const mustYield = this.#isAutomatic && batch.view().isRunning;
      if (requested && (mustYield || !this.#isFree(requested.id))) this.cancel();
    });
  }

  readonly subscribe = this.#view.subscribe;

  /** Returns the same object until something changes; null while nothing is requested. */
  readonly view = this.#view.get;

  /**
   * Runs a file after the pause, on this device wherever the request says.
   * @returns the state that the file is then in; null when the run was cancelled
   */
  start(request: RunRequest, id: number): Promise<ItemState | null> {
    this.#ending?.abort();
    this.#ending = new AbortController();
    this.#isAutomatic = request.isAutomatic ?? false;
    const ended = this.#run({ ...request, location: 'device' }, id, this.#ending.signal);
    this.#settled = ended;
    return ended;
  }

  /** Ends the run or the pause before it. The file stays as it is. */
  readonly cancel = (): void => {
    this.#ending?.abort();
    this.#view.set(null);
  };

  /** Settles once nothing is requested for a file. */
  async settled(id: number): Promise<void> {
    while (this.view()?.id === id) await this.#settled;
  }

  async #run(request: RunRequest, id: number, signal: AbortSignal): Promise<ItemState | null> {
    this.#view.set({ id, progress: undefined });
    // A newer request, or the end of this one: the check below tells.
    await pause(this.#options.pauseMs ?? LIVE_PAUSE_MS, signal).catch(() => {});
    const item = this.#item(id);
    if (signal.aborted || !item) return null;
    const onProgress = (progress: Progress) => {
      if (!signal.aborted) this.#view.set({ id, progress });
    };
    const run = () => this.#runFile(item.file, request, { signal, onProgress });
    const state = await runToState(run, request, item.state);
    if (signal.aborted) return null;
    const isDone = state.phase === 'done' && state.rerunError === undefined;
    this.#batch.replace(id, isDone ? { ...state, isLive: true } : state);
    if (isDone && item.state.phase === 'done' && item.state.isLive) this.#options.onReplaced?.(item.state);
    this.#view.set(null);
    return state;
  }

  /** Reports whether a file is there, and the batch itself does not run it. */
  #isFree(id: number): boolean {
    const state = this.#item(id)?.state;
    if (state?.phase === 'done') return true;
    return state !== undefined && !this.#batch.view().isRunning;
  }

  #item(id: number): BatchItem | undefined {
    return this.#batch.view().items.find((item) => item.id === id);
  }
}

/** Returns the files that this device may run. */
type FilesForDevice = (items: readonly BatchItem[], request: RunRequest) => Promise<readonly BatchItem[]>;

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
  async start(request: RunRequest, isDue: (item: BatchItem) => boolean): Promise<void> {
    const renewals = this.#renewals;
    const fitting = getIds(await this.#filesForDevice(this.#batch.view().items.filter(isDue), request));
    if (renewals !== this.#renewals) return;
    // Another start may have run some of them by now.
    const items = this.#batch.view().items.filter((item) => fitting.includes(item.id) && isDue(item));
    if (items.length > 0) startOrRerun(this.#batch, request, getIds(items));
  }
}

/** Runs files: one with a result keeps it until the new one is there. */
export function startOrRerun(batch: Batch, request: RunRequest, ids: readonly number[]): void {
  void batch.rerun(request, ids);
  void batch.start(request, ids);
}

export const getIds = (items: readonly BatchItem[]): readonly number[] => items.map(({ id }) => id);
