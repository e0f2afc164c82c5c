'use client';

import { ChevronsLeft, ChevronsRight, Minus, Pause, Play, Plus } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { formatClock } from '../../ui/quantities.ts';
import styles from './sound.module.css';
import type { Player, SoundState } from './sound-player.ts';

const ICON = { size: 20, strokeWidth: 1.5, 'aria-hidden': true } as const;
export const JUMP_SECONDS = 5;

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
export function Transport({ player, durationSeconds, children, ...view }: TransportProps) {
  return (
    <fieldset className={styles.player}>
      <legend className="sr-only">Player</legend>
      <div className={styles.transport}>
        <PlayButtons player={player} />
        <Position player={player} durationSeconds={durationSeconds} />
        {children}
        <FollowButton {...view} />
        <RateButton player={player} />
        <ZoomButtons {...view} />
      </div>
    </fieldset>
  );
}

const BUTTON = { type: 'button', className: 'button-icon' } as const;

function PlayButtons({ player }: Pick<TransportProps, 'player'>) {
  const { isPlaying, isBroken } = useSound(player);
  const jump = (seconds: number) => player.seek(player.atSeconds.get() + seconds);
  return (
    <>
      <button {...BUTTON} aria-label="Back 5 seconds" disabled={isBroken} onClick={() => jump(-JUMP_SECONDS)}>
        <ChevronsLeft {...ICON} />
      </button>
      <button
        {...BUTTON}
        aria-label={isPlaying ? 'Pause' : 'Play'}
        disabled={isBroken}
        onClick={player.toggle}
      >
        {isPlaying ? <Pause {...ICON} /> : <Play {...ICON} />}
      </button>
      <button
        {...BUTTON}
        aria-label="Forward 5 seconds"
        disabled={isBroken}
        onClick={() => jump(JUMP_SECONDS)}
      >
        <ChevronsRight {...ICON} />
      </button>
    </>
  );
}

function Position({ player, durationSeconds }: Pick<TransportProps, 'player' | 'durationSeconds'>) {
  const { isBroken } = useSound(player);
  const at = usePosition(player, 0.1);
  return (
    <>
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
      <span className={`${styles.time} facts`} aria-hidden>
        {isBroken ? 'no sound here' : formatClock(at)}
        {!isBroken && <span className={styles.wide}> / {formatClock(durationSeconds)}</span>}
      </span>
    </>
  );
}

function FollowButton({ isFollowing, onFollow }: Pick<TransportProps, 'isFollowing' | 'onFollow'>) {
  return (
    <button
      type="button"
      className={`button button-quiet ${styles.wide}`}
      aria-pressed={isFollowing}
      onClick={() => onFollow(!isFollowing)}
    >
      Follow
    </button>
  );
}

/** Changes the speed. */
function RateButton({ player }: Pick<TransportProps, 'player'>) {
  const { rates, setRate } = player;
  const { rate, isBroken } = useSound(player);
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={`Speed ${rate}×, change`}
      disabled={isBroken}
      onClick={() => setRate(rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1)}
    >
      {rate}×
    </button>
  );
}

function ZoomButtons({ shownSeconds, onZoom }: Pick<TransportProps, 'shownSeconds' | 'onZoom'>) {
  const button = { type: 'button', className: `button-icon ${styles.wide}` } as const;
  return (
    <>
      <button {...button} aria-label="Show more time" onClick={() => onZoom(2)}>
        <Minus {...ICON} />
      </button>
      <span className={`${styles.span} facts`} aria-hidden>
        {shownSeconds === undefined ? 'all' : formatClock(shownSeconds)}
      </span>
      <button {...button} aria-label="Show less time" onClick={() => onZoom(0.5)}>
        <Plus {...ICON} />
      </button>
    </>
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
