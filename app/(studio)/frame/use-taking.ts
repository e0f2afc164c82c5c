'use client';

import { useState } from 'react';
import type { BatchItem } from './batch.ts';
import { type NamedResult, resultsOf, saveResults } from './results.ts';

/** Makes the files to take of one item: tools whose results can still be changed make them only then. */
export type Finish = (item: BatchItem) => Promise<readonly NamedResult[]>;

/** What has a result is taken as it is. */
export const asFound: Finish = async (item) => resultsOf(item);

export interface Taking {
  /** How many files are made of how many, while they are. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** Why nothing was taken the last time. */
  readonly failure: string | null;
  /** Gives the results to the browser's downloads: one as a file, several in a zip. */
  take(items: readonly BatchItem[]): void;
}

/** The way of results out of the page. */
export function useTaking(finish: Finish, zipName: string): Taking {
  const [progress, setProgress] = useState<Taking['progress']>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const take = async (items: readonly BatchItem[]) => {
    setFailure(null);
    const results: NamedResult[] = [];
    try {
      for (const [done, item] of items.entries()) {
        setProgress({ done, total: items.length });
        results.push(...(await finish(item)));
      }
      await saveResults(results, zipName);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setProgress(null);
    }
  };
  return { progress, failure, take: (items) => void take(items) };
}
