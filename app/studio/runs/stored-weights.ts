'use client';

import { useEffect, useState } from 'react';
import { isComplete, type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import { onWeightChange } from '../../../workers/runtime/weight-cache/weight-changes.ts';
import { openWeightFolder } from '../../../workers/runtime/weight-cache/weight-folder.ts';
import { formatBytes } from '../../ui/quantities.ts';

/**
 * Sizes of the weight files in this browser, complete or partial, by file name; null where the browser stores no
 * files for sites.
 */
export type StoredWeights = ReadonlyMap<string, number> | null;

/** Returns the stored weights and updates after every change in any tab; undefined until they are read. */
export function useStoredWeights(): StoredWeights | undefined {
  return useStorage(readStored);
}

async function readStored(): Promise<StoredWeights> {
  return (await (await openWeightFolder())?.list()) ?? null;
}

/**
 * Returns what `read` finds, and reads again after every change of the stored weights; undefined until the first
 * read.
 * @param read the same function each time; never rejects
 */
export function useStorage<Found>(read: () => Promise<Found>): Found | undefined {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    let turn = 0;
    const update = async () => {
      turn += 1;
      const mine = turn;
      const seen = await read();
      // A later read may have ended earlier.
      if (mine === turn) setFound(() => seen);
    };
    const end = onWeightChange(() => void update());
    void update();
    return () => {
      turn += 1;
      end();
    };
  }, [read]);
  return found;
}

/** Says where a model's weights are or how much of them is left to download: `4.6 MB to download`. */
export function describeStorage(cards: readonly WeightCard[], stored: StoredWeights | undefined): string {
  const total = getSum(cards.map((card) => card.bytes));
  const size = total === null ? 'size unknown' : formatBytes(total);
  if (cards.every(({ url }) => url === null)) return `${size}, included`;
  if (stored === undefined) return size;
  if (stored === null) return `${size} to download each time`;
  const storedBytes = (card: WeightCard) => stored.get(weightFileName(card)) ?? 0;
  if (cards.every((card) => isComplete(card, storedBytes(card)))) return `${size}, stored on this device`;
  const kept = getSum(cards.map(storedBytes));
  if (kept === 0 || kept === null || total === null) return `${size} to download`;
  return `${formatBytes(Math.max(0, total - kept))} of ${size} left to download`;
}

/** Returns the sum; null where a number is unknown. */
function getSum(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce((sum, each) => (sum === null || each === null ? null : sum + each), 0);
}
