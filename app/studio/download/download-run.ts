import { Cell } from '../../../models/core/cell.ts';
import type { Progress, ReportProgress } from '../../../models/core/runtime/progress.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import type { BatchItem, ItemState } from '../runs/batch.ts';
import { inFolders, type NamedResult, type SourceResults } from '../runs/result-names.ts';
import { getResults, saveResults } from '../runs/results.ts';
import type { RunActions } from '../runs/run-actions.ts';
import { pinBlob } from '../runs/stored-results.ts';
import { guardTab } from '../session/session.ts';
import { shareFiles, toFiles } from './share-files.ts';
import { type IssueOf, usableItems } from './usable-items.ts';

export interface PrepareOptions {
  readonly signal: AbortSignal;
  /** Called during steps that take long enough to show progress. */
  readonly onProgress: ReportProgress;
  /** Called with each limitation of the result. */
  readonly onWarning: (warning: string) => void;
}

/** Prepares an item's files for download: tools whose results can still be edited make the files only then. */
export type PrepareFiles = (item: BatchItem, options: PrepareOptions) => Promise<readonly NamedResult[]>;

export interface DownloadView {
  /** Number of prepared files, and the progress of the current one where known; null when idle. */
  readonly progress: { readonly done: number; readonly total: number; readonly current?: Progress } | null;
  /** Reason why the last download failed in whole or in part. */
  readonly failure: string | null;
  /** Limitations of the last download. */
  readonly warnings: readonly string[];
  /** Files that took longer to prepare than a press may share: they need another one. Null without. */
  readonly shareable: readonly File[] | null;
}

export interface DownloadOptions {
  readonly finish: PrepareFiles;
  /** Whether a download saves the results as they are. */
  readonly isResult: boolean;
  readonly zipName: string;
  readonly getIssue: IssueOf;
}

export const IDLE: DownloadView = { progress: null, failure: null, warnings: [], shareable: null };

/**
 * Prepares results, and saves them to the browser's downloads, one as a file, several as a zip, or hands them to other
 * apps. Continues while another page is shown, and shows its state to a visitor who comes back. A failure and warnings
 * last until the files change.
 */
export class DownloadRun {
  readonly view = new Cell<DownloadView>(IDLE);
  readonly #onSaved: (items: readonly BatchItem[]) => void;
  #work: AbortController | undefined;

  /**
   * @param onChange subscribes to changes of the files or their results
   * @param onSaved called with the files whose results were saved
   */
  constructor(
    onChange: (listener: () => void) => void,
    onSaved: (items: readonly BatchItem[]) => void = () => {},
  ) {
    this.#onSaved = onSaved;
    onChange(() => {
      if (this.view.get().progress === null) this.view.set(IDLE);
    });
  }

  /** Saves the usable ones of some results. Never rejects. */
  save(chosen: readonly BatchItem[], options: DownloadOptions): Promise<void> {
    return this.#prepare(chosen, options, (results) => saveResults(results, options.zipName));
  }

  /** Shares the usable ones of some results by the sheet of the system. Never rejects. */
  share(chosen: readonly BatchItem[], options: DownloadOptions): Promise<void> {
    return this.#prepare(chosen, options, async (results) => this.#offer(toFiles(results)));
  }

  /** Shares files that are prepared. Never rejects. */
  async shareReady(files: readonly File[]): Promise<void> {
    this.view.set(IDLE);
    await this.#offer(files).catch((error: unknown) => this.#show({ failure: describeFailure(error) }));
  }

  async #offer(files: readonly File[]): Promise<void> {
    const outcome = await shareFiles(files);
    if (outcome === 'needs a press') this.#show({ shareable: files });
  }

  async #prepare(
    chosen: readonly BatchItem[],
    { finish, getIssue }: DownloadOptions,
    deliver: (results: readonly NamedResult[]) => Promise<void>,
  ): Promise<void> {
    const items = usableItems(chosen, getIssue);
    const { signal } = this.#begin();
    for (const item of chosen) {
      const issue = getIssue(item);
      if (issue && !items.includes(item)) this.#warn(`Left out: ${item.file.name} (${issue}).`);
    }
    const made: SourceResults[] = [];
    const failures: string[] = [];
    const onWarning = (warning: string) => this.#warn(warning);
    try {
      for (const [done, item] of items.entries()) {
        const at = { done, total: items.length };
        this.#show({ progress: at });
        const onProgress = (current: Progress) => {
          if (!signal.aborted) this.#show({ progress: { ...at, current } });
        };
        try {
          const results = await finish(item, { signal, onProgress, onWarning });
          made.push({ source: item.file, results });
        } catch (error) {
          failures.push(
            items.length > 1 ? `${item.file.name}: ${describeFailure(error)}` : describeFailure(error),
          );
        }
        if (signal.aborted) return;
      }
      const results = inFolders(made);
      if (results.length === 0) return;
      await deliver(results);
      this.#onSaved(items);
    } catch (error) {
      failures.push(describeFailure(error));
    } finally {
      this.#end(signal.aborted ? [] : failures);
    }
  }

  /** Cancels the preparation: nothing is downloaded. */
  readonly cancel = (): void => this.#work?.abort();

  #begin(): AbortController {
    this.#work = new AbortController();
    this.view.set(IDLE);
    guardTab(this, true);
    return this.#work;
  }

  #end(failures: readonly string[]): void {
    this.#show({ progress: null, failure: failures.length > 0 ? failures.join(' ') : null });
    guardTab(this, false);
  }

  #warn(warning: string): void {
    this.#show({ warnings: [...new Set([...this.view.get().warnings, warning])] });
  }

  #show(part: Partial<DownloadView>): void {
    this.view.set((before) => ({ ...before, ...part }));
  }
}

/**
 * Returns the results as they are, after a live run that is under way: a download is of the settings that are shown.
 * A live run that ends without a result leaves nothing to download.
 */
export function finishLiveRun({ batch, live }: Pick<RunActions, 'batch' | 'live'>): PrepareFiles {
  return async ({ id, state }) => {
    const isRenewed = live.view()?.id === id;
    await live.settled(id);
    const item = batch.view().items.find((each) => each.id === id);
    if (!item || (isRenewed && isSameResult(item.state, state))) return [];
    const results = getResults(item);
    // A browser without storage has nothing to keep.
    for (const { name, file } of results) void pinBlob(name, file.blob).catch(() => {});
    return results;
  };
}

/** A live run that fails leaves the earlier result, with its reason in a new state. */
function isSameResult(one: ItemState, other: ItemState): boolean {
  return one === other || (one.phase === 'done' && other.phase === 'done' && one.result === other.result);
}
