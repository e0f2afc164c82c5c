'use client';

import { useCallback, useSyncExternalStore } from 'react';
import type { SoundPlayer } from '../sound/sound-player.ts';
import { type Segment, segmentIndexAt } from './timeline.ts';

/** Offset for the rounding of positions by the browser. */
const ROUNDING_SECONDS = 0.02;

/** Returns the place of the chosen segment, or of the one at the player's position; -1 before the first. */
export function useCurrentSegment({ atSeconds, chosen }: SoundPlayer, segments: readonly Segment[]): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      const leaving = [atSeconds.subscribe(listener), chosen.subscribe(listener)];
      return () => {
        for (const leave of leaving) leave();
      };
    },
    [atSeconds, chosen],
  );
  const read = () => chosen.get() ?? segmentIndexAt(segments, atSeconds.get() + ROUNDING_SECONDS);
  return useSyncExternalStore(subscribe, read, read);
}
