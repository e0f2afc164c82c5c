'use client';

import { Pause, Play, Volume2, VolumeX } from 'lucide-react';
import form from '../form/params-form.module.css';
import styles from './player-bar.module.css';
import type { Player } from './use-player.ts';

interface PlayerBarProps {
  readonly player: Player;
  /** Step of an arrow key: one frame. */
  readonly stepSeconds: number;
  readonly hasSound: boolean;
}

const ICON = { size: 20, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** Plays, pauses and seeks; one bar for all visible clips. */
export function PlayerBar({ player, stepSeconds, hasSound }: PlayerBarProps) {
  const { isPlaying, atSeconds, durationSeconds, isMuted } = player.playing;
  const [at, whole] = [atSeconds, durationSeconds].map((seconds) => seconds.toFixed(1));
  return (
    <fieldset className={styles.bar} disabled={durationSeconds === 0}>
      <legend className="sr-only">Player</legend>
      <button
        type="button"
        className="button-icon"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={player.toggle}
      >
        {isPlaying ? <Pause {...ICON} /> : <Play {...ICON} />}
      </button>
      <input
        type="range"
        className={form.range}
        min={0}
        max={durationSeconds}
        step={stepSeconds}
        value={Math.min(atSeconds, durationSeconds)}
        aria-label="Position in the video"
        aria-valuetext={`${at} of ${whole} seconds`}
        onChange={(event) => player.seek(event.currentTarget.valueAsNumber)}
      />
      <span className="facts" aria-hidden>
        {at} / {whole} s
      </span>
      {hasSound && (
        <button
          type="button"
          className="button-icon"
          aria-label="Sound"
          aria-pressed={!isMuted}
          onClick={player.toggleSound}
        >
          {isMuted ? <VolumeX {...ICON} /> : <Volume2 {...ICON} />}
        </button>
      )}
    </fieldset>
  );
}
