'use client';

import { ChevronsLeft, ChevronsRight, Minus, Pause, Play, Plus } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { formatClock } from '../../text/quantities.ts';
import styles from './sound.module.css';
import type { Player, SoundState } from './sound-player.ts';

const ICON = { size: 20, strokeWidth: 1.5, 'aria-hidden': true } as const;
export const JUMP_SECONDS = 5;
const RATES = [1, 1.25, 1.5, 2];

interface TransportProps {
  readonly player: Player;
  readonly durationSeconds: number;
  /** Length of the part in view; undefined where that is all. */
  readonly shownSeconds: number | undefined;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  /** Shows less time, with a factor below 1, or more. */
  readonly onZoom: (factor: number) => void;
  /** Buttons of the tool. */
  readonly children?: ReactNode;
}

/** Plays, pauses, jumps and seeks. */
export function Transport(props: TransportProps) {
  const { player, durationSeconds, shownSeconds, isFollowing, onFollow, onZoom, children } = props;
  const { setRate } = player;
  const { isPlaying, rate, isBroken } = useSound(player);
  const at = usePosition(player, 0.1);
  const jump = (seconds: number) => player.seek(player.atSeconds.get() + seconds);
  const button = { type: 'button', className: 'button-icon' } as const;
  const zoom = { type: 'button', className: `button-icon ${styles.wide}` } as const;
  return (
    <fieldset className={styles.player}>
      <legend className="sr-only">Player</legend>
      <div className={styles.transport}>
        <button
          {...button}
          aria-label="Back 5 seconds"
          disabled={isBroken}
          onClick={() => jump(-JUMP_SECONDS)}
        >
          <ChevronsLeft {...ICON} />
        </button>
        <button
          {...button}
          aria-label={isPlaying ? 'Pause' : 'Play'}
          disabled={isBroken}
          onClick={player.toggle}
        >
          {isPlaying ? <Pause {...ICON} /> : <Play {...ICON} />}
        </button>
        <button
          {...button}
          aria-label="Forward 5 seconds"
          disabled={isBroken}
          onClick={() => jump(JUMP_SECONDS)}
        >
          <ChevronsRight {...ICON} />
        </button>
        <input
          type="range"
          className={styles.position}
          min={0}
          max={durationSeconds}
          step={0.1}
          value={Math.min(at, durationSeconds)}
          disabled={isBroken}
          aria-label="Position in the recording"
          aria-valuetext={`${formatClock(at)} of ${formatClock(durationSeconds)}`}
          onChange={(event) => player.seek(event.currentTarget.valueAsNumber)}
        />
        <span className="facts" aria-hidden>
          {isBroken ? 'no sound here' : `${formatClock(at)} / ${formatClock(durationSeconds)}`}
        </span>
        {children}
        <button
          type="button"
          className={`button button-quiet ${styles.wide}`}
          aria-pressed={isFollowing}
          onClick={() => onFollow(!isFollowing)}
        >
          Follow
        </button>
        {setRate && (
          <button
            type="button"
            className="button button-quiet"
            aria-label={`Speed ${rate}×, change`}
            disabled={isBroken}
            onClick={() => setRate(RATES[(RATES.indexOf(rate) + 1) % RATES.length] ?? 1)}
          >
            {rate}×
          </button>
        )}
        <button {...zoom} aria-label="Show more time" onClick={() => onZoom(2)}>
          <Minus {...ICON} />
        </button>
        <span className={`${styles.span} facts`} aria-hidden>
          {shownSeconds === undefined ? 'all' : formatClock(shownSeconds)}
        </span>
        <button {...zoom} aria-label="Show less time" onClick={() => onZoom(0.5)}>
          <Plus {...ICON} />
        </button>
      </div>
    </fieldset>
  );
}

export function useSound({ state }: Player): SoundState {
  return useSyncExternalStore(state.subscribe, state.get, state.get);
}

/** Returns the position in steps, so that a page renders no more often than it shows a change. */
function usePosition({ atSeconds }: Player, stepSeconds: number): number {
  const read = () => Math.floor(atSeconds.get() / stepSeconds) * stepSeconds;
  return useSyncExternalStore(atSeconds.subscribe, read, read);
}
