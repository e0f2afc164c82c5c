'use client';

import { useState } from 'react';
import type { BatchItem, Progress } from '../batch/batch.ts';
import { failureWords } from '../batch/failure-words.ts';
import type { NamedResult } from '../batch/result-names.ts';
import { saveResults } from '../batch/results.ts';
import { createAbortScope } from './use-abort-on-unmount.ts';
import { useCloseGuard } from './use-close-guard.ts';

export interface FinishOptions {
  readonly signal: AbortSignal;
  /** Called during steps that take long enough to show progress. */
  readonly onProgress: (progress: Progress) => void;
  /** Called with each limitation of the result. */
  readonly onWarning: (warning: string) => void;
}

/** Prepares an item's files for download: tools whose results can still be edited make the files only then. */
export type Finish = (item: BatchItem, options: FinishOptions) => Promise<readonly NamedResult[]>;

/** Says in a few words why a result is of no use as it is; undefined for any other. */
export type FlawOf = (item: BatchItem) => string | undefined;

export interface Downloads {
  /** Number of prepared files, and the progress of the current one where known; null when idle. */
  readonly progress: { readonly done: number; readonly total: number; readonly current?: Progress } | null;
  /** Reason why the last download failed in whole or in part. */
  readonly failure: string | null;
  /** Limitations of the last download. */
  readonly warnings: readonly string[];
  /**
   * Saves results to the browser's downloads: one as a file, several as a zip, which leaves out flawed ones. Does
   * nothing while files are being prepared.
   */
  take(items: readonly BatchItem[]): void;
  /** Cancels the preparation; nothing is downloaded. */
  cancel(): void;
  /** Returns the items whose results belong in a zip: all without a flaw, or all where each has one. */
  usable(items: readonly BatchItem[]): readonly BatchItem[];
}

/** Prepares results and saves them to the browser's downloads. */
export function useDownload(finish: Finish, zipName: string, flawOf: FlawOf): Downloads {
  const [progress, setProgress] = useState<Downloads['progress']>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  // Whoever opens another page meanwhile still gets the files.
  const [work] = useState(createAbortScope);
  useCloseGuard(progress !== null);
  const usable = (items: readonly BatchItem[]) => {
    const sound = items.filter((item) => flawOf(item) === undefined);
    return sound.some(({ state }) => state.phase === 'done') ? sound : items;
  };
  const take = async (chosen: readonly BatchItem[]) => {
    const items = usable(chosen);
    const signal = work.begin();
    setFailure(null);
    setWarnings([]);
    const onWarning = (warning: string) => setWarnings((before) => [...new Set([...before, warning])]);
    for (const item of chosen) {
      if (!items.includes(item)) onWarning(`Left out: ${item.file.name} (${flawOf(item)}).`);
    }
    const results: NamedResult[] = [];
    const failures: string[] = [];
    try {
      for (const [done, item] of items.entries()) {
        const at = { done, total: items.length };
        setProgress(at);
        const onProgress = (current: Progress) => setProgress((before) => before && { ...at, current });
        try {
          results.push(...(await finish(item, { signal, onProgress, onWarning })));
        } catch (error) {
          failures.push(items.length > 1 ? `${item.file.name}: ${failureWords(error)}` : failureWords(error));
        }
        if (signal.aborted) return;
      }
      if (results.length > 0) await saveResults(results, zipName);
    } catch (error) {
      failures.push(failureWords(error));
    } finally {
      if (!signal.aborted && failures.length > 0) setFailure(failures.join(' '));
      setProgress(null);
    }
  };
  return {
    ...{ progress, failure, warnings, usable },
    take: (items) => void take(items),
    cancel: work.end,
  };
}
