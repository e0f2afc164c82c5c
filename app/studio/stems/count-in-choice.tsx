'use client';

import { useEffect } from 'react';
import { useSessionState } from '../session/use-session-state.ts';
import type { MixPlayer } from '../sound/mix-player.ts';
import { BEATS, barSeconds } from './song-facts.ts';
import styles from './stems.module.css';

interface CountInChoiceProps {
  readonly player: MixPlayer;
  /** In beats a minute. */
  readonly tempoBpm: number;
}

/** Chooses whether a bar is counted before the mix plays. */
export function CountInChoice({ player, tempoBpm }: CountInChoiceProps) {
  const [isCounted, setCounted] = useSessionState('audio-separate-stems/count-in', false);
  useEffect(() => {
    if (!isCounted) return;
    player.setCountIn({ beats: BEATS, beatSeconds: barSeconds(tempoBpm, 1) / BEATS });
    return () => player.setCountIn(undefined);
  }, [player, tempoBpm, isCounted]);
  return (
    <>
      <label className={styles.switch}>
        Count-in
        <input
          type="checkbox"
          checked={isCounted}
          aria-describedby="count-in-means"
          onChange={(event) => setCounted(event.currentTarget.checked)}
        />
      </label>
      <p id="count-in-means" className={styles.hint}>
        One bar of clicks before it plays.
      </p>
    </>
  );
}
