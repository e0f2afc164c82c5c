'use client';

import { type PointerEvent, type ReactNode, useEffect, useState, type WheelEvent } from 'react';
import type { Peaks } from '../../../models/kernels/audio/peaks.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { clock } from '../text/quantities.ts';
import { Playhead } from './playhead.tsx';
import styles from './sound.module.css';
import type { SoundPlayer } from './sound-player.ts';
import { firstView, following, marksOf, movedTo, type TimeView, zoomed } from './time-view.ts';
import { Transport } from './transport.tsx';
import { Waveform } from './waveform.tsx';

export interface Track {
  readonly id: number | string;
  readonly label: ReactNode;
  /** Draws the part in view. */
  readonly content: (view: TimeView) => ReactNode;
  /** Called with the time where the track is pressed; by default the player goes there. */
  readonly onPress?: (seconds: number) => void;
}

interface SoundTracksProps {
  readonly player: SoundPlayer;
  readonly peaks: Peaks;
  /** Tracks below the waveform. */
  readonly tracks: readonly Track[];
}

/** Waveform of a recording with tracks below it, a ruler above, and the transport. All show the same part in view. */
export function SoundTracks({ player, peaks, tracks }: SoundTracksProps) {
  const { durationSeconds } = peaks;
  const [view, setView] = useState(() => firstView(durationSeconds));
  const [isFollowing, setFollowing] = useState(true);
  useEffect(() => {
    if (!isFollowing) return;
    const follow = () => setView((before) => following(before, player.atSeconds.get(), durationSeconds));
    return player.atSeconds.subscribe(follow);
  }, [player, isFollowing, durationSeconds]);
  useShortcuts('Sound', [{ keys: ['K'], does: 'Play or pause', run: player.toggle }]);
  const zoom = (factor: number) =>
    setView((before) => zoomed(before, factor, player.atSeconds.get(), durationSeconds));
  const scroll = ({ deltaX, deltaY, shiftKey, currentTarget }: WheelEvent) => {
    const pixels = deltaX || (shiftKey ? deltaY : 0);
    const perPixel = view.seconds / currentTarget.clientWidth;
    if (pixels !== 0) {
      setView((before) => movedTo(before, before.fromSeconds + pixels * perPixel, durationSeconds));
    }
  };
  const all: readonly Track[] = [
    { id: 'sound', label: 'Sound', content: () => <Waveform peaks={peaks} view={view} /> },
    ...tracks,
  ];
  const whole = { fromSeconds: 0, seconds: durationSeconds };
  return (
    <div className={styles.sound}>
      <div className={styles.tracks} onWheel={scroll}>
        {view.seconds < durationSeconds && (
          <>
            <span className={styles.label}>{clock(durationSeconds)}</span>
            <Pressable className={styles.overview} view={whole} onPress={player.seek}>
              <Waveform peaks={peaks} view={whole} />
              <Playhead player={player} view={whole} />
            </Pressable>
          </>
        )}
        <span className={styles.label} />
        <Ruler view={view} />
        {all.map(({ id, label, content, onPress = player.seek }) => (
          <div key={id} className={styles.track}>
            <span className={styles.label}>{label}</span>
            <Pressable className={styles.lane} view={view} onPress={onPress}>
              {content(view)}
              <Playhead player={player} view={view} />
            </Pressable>
          </div>
        ))}
      </div>
      <Transport
        player={player}
        durationSeconds={durationSeconds}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        onZoom={zoom}
      />
    </div>
  );
}

interface PressableProps {
  readonly className: string | undefined;
  readonly view: TimeView;
  readonly onPress: (seconds: number) => void;
  readonly children: ReactNode;
}

/** Part of a track that takes presses by pointer. By keys, the transport and the list of a tool do the same. */
function Pressable({ className, view, onPress, children }: PressableProps) {
  const press = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onPress(view.fromSeconds + ((clientX - left) / width) * view.seconds);
  };
  return (
    <div className={className} data-pressable onPointerDown={press}>
      {children}
    </div>
  );
}

function Ruler({ view }: { readonly view: TimeView }) {
  return (
    <div className={styles.ruler} aria-hidden>
      {marksOf(view).map((seconds) => (
        <span
          key={seconds}
          style={{ insetInlineStart: `${((seconds - view.fromSeconds) / view.seconds) * 100}%` }}
        >
          {clock(seconds)}
        </span>
      ))}
    </div>
  );
}
