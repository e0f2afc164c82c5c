'use client';

import { useState } from 'react';
import { messageOf } from '../../../models/errors.ts';
import type { BatchItem, Progress } from './batch.ts';
import { type NamedResult, resultsOf, saveResults } from './results.ts';
import { useCloseGuard } from './use-close-guard.ts';
import { useLeaving } from './use-leaving.ts';

export interface FinishOptions {
  readonly signal: AbortSignal;
  /** For what takes long enough that people want to see it move. */
  readonly onProgress: (progress: Progress) => void;
  /** For what could not be done as asked. */
  readonly onWarning: (warning: string) => void;
}

/** Makes the files to take of one item: tools whose results can still be changed make them only then. */
export type Finish = (item: BatchItem, options: FinishOptions) => Promise<readonly NamedResult[]>;

/** What has a result is taken as it is. */
export const asFound: Finish = async (item) => resultsOf(item);

export interface Taking {
  /** How many files are made of how many, while they are; and how far the one being made is, where that is told. */
  readonly progress: { readonly done: number; readonly total: number; readonly current?: Progress } | null;
  /** Why something, or all, was not taken the last time. */
  readonly failure: string | null;
  /** What could not be done as asked the last time. */
  readonly warnings: readonly string[];
  /** Gives the results to the browser's downloads: one as a file, several in a zip. Only when nothing is being made. */
  take(items: readonly BatchItem[]): void;
  /** Ends the making of files; nothing is taken then. */
  cancel(): void;
}

/** The way of results out of the page. */
export function useTaking(finish: Finish, zipName: string): Taking {
  const [progress, setProgress] = useState<Taking['progress']>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const leaving = useLeaving();
  useCloseGuard(progress !== null);
  const take = async (items: readonly BatchItem[]) => {
    const signal = leaving.begin();
    setFailure(null);
    setWarnings([]);
    const onWarning = (warning: string) => setWarnings((before) => [...new Set([...before, warning])]);
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
          failures.push(items.length > 1 ? `${item.file.name}: ${messageOf(error)}` : messageOf(error));
        }
        if (signal.aborted) return;
      }
      if (results.length > 0) await saveResults(results, zipName);
    } catch (error) {
      failures.push(messageOf(error));
    } finally {
      if (!signal.aborted && failures.length > 0) setFailure(failures.join(' '));
      setProgress(null);
    }
  };
  return {
    ...{ progress, failure, warnings },
    take: (items) => void take(items),
    cancel: leaving.end,
  };
}
