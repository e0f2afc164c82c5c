'use client';

import { useSyncExternalStore } from 'react';
import type { SoundPlayer } from '../sound/sound-player.ts';
import { placeAt, type Segment } from './timeline.ts';

/** Offset for the rounding of positions by the browser. */
const ROUNDING_SECONDS = 0.02;

/** Returns the place of the segment at the player's position; -1 before the first. */
export function useCurrentPlace({ atSeconds, chosen }: SoundPlayer, segments: readonly Segment[]): number {
  const read = () => placeAt(segments, atSeconds.get() + ROUNDING_SECONDS, chosen.get());
  return useSyncExternalStore(atSeconds.subscribe, read, read);
}
