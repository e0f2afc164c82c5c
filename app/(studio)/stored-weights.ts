'use client';

import { useEffect, useState } from 'react';
import { isWhole, type WeightCard, weightFileName } from '../../models/weights/weight-card.ts';
import { onWeightChange } from '../../workers/runtime/weight-cache/weight-changes.ts';
import { openWeightFolder } from '../../workers/runtime/weight-cache/weight-folder.ts';
import { bytes } from './quantities.ts';

/** Sizes of the weights that this browser holds, whole or not, by file name; null where it keeps no files for pages. */
export type StoredWeights = ReadonlyMap<string, number> | null;

/** What is stored now, and after every change in whatever tab; undefined until that is known. */
export function useStoredWeights(): StoredWeights | undefined {
  return useStorage(readStored);
}

async function readStored(): Promise<StoredWeights> {
  return (await (await openWeightFolder())?.list()) ?? null;
}

/**
 * What is found now, and after every change of the stored weights; undefined until that is known.
 * @param read the same function each time; never rejects
 */
export function useStorage<Found>(read: () => Promise<Found>): Found | undefined {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    let turn = 0;
    const look = async () => {
      turn += 1;
      const mine = turn;
      const seen = await read();
      // A later look may have ended earlier.
      if (mine === turn) setFound(() => seen);
    };
    const end = onWeightChange(() => void look());
    void look();
    return () => {
      turn += 1;
      end();
    };
  }, [read]);
  return found;
}

/** Where a network's weights are, or what of them has to come: `4.6 MB to download`. */
export function storageWords(card: WeightCard, stored: StoredWeights | undefined): string {
  const size = card.bytes === null ? 'size unknown' : bytes(card.bytes);
  if (card.url === null) return `${size}, comes with the page`;
  if (stored === undefined) return size;
  if (stored === null) return `${size} to download each time`;
  const storedBytes = stored.get(weightFileName(card)) ?? 0;
  if (isWhole(card, storedBytes)) return `${size}, stored on this device`;
  if (storedBytes === 0 || card.bytes === null) return `${size} to download`;
  return `${bytes(Math.max(0, card.bytes - storedBytes))} of ${size} still to download`;
}
