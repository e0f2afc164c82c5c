'use client';

import type { BatchItem } from '../runs/batch.ts';
import type { NamedResult } from '../runs/result-names.ts';
import { resultsOf } from '../runs/results.ts';
import { useSessionState } from '../session/use-session-state.ts';

/** Variants that the visitor has picked, and a way to pick another. */
export interface PickedVariants {
  /** Returns the picked variant of a file, else the first; -1 without a result. */
  indexOf(item: BatchItem): number;
  resultOf(item: BatchItem): NamedResult | undefined;
  pick(item: BatchItem, index: number): void;
}

/** Remembers the picked variant of each file by its name, which holds its seed. It outlives the page. */
export function usePickedVariants(): PickedVariants {
  const [names, setNames] = useSessionState<Readonly<Record<number, string>>>('image-outpaint/picked', {});
  const indexOf = (item: BatchItem) => {
    const results = resultsOf(item);
    const at = results.findIndex(({ name }) => name === names[item.id]);
    return at < 0 ? Math.min(0, results.length - 1) : at;
  };
  return {
    indexOf,
    resultOf: (item) => resultsOf(item)[indexOf(item)],
    pick(item, index) {
      const name = resultsOf(item)[index]?.name;
      if (name) setNames((before) => ({ ...before, [item.id]: name }));
    },
  };
}
