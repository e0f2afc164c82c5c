'use client';

import { useSyncExternalStore } from 'react';
import type { MixPlayer } from '../sound/mix-player.ts';
import styles from './stems.module.css';

/** Shows the beat that is counted in, over the waveforms. Who hears the page hears the clicks. */
export function CountedBeat({ player: { beat } }: { readonly player: MixPlayer }) {
  const counted = useSyncExternalStore(beat.subscribe, beat.get, beat.get);
  if (counted === 0) return null;
  return (
    <p className={styles.beat} data-beat={counted} aria-hidden>
      {counted}
    </p>
  );
}
