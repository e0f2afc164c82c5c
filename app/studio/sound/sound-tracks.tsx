'use client';

import { Fragment, type ReactNode, useEffect, useRef, useState, type WheelEvent } from 'react';
import type { Peaks } from '../../../models/kernels/audio/peaks.ts';
import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';
import { formatClock } from '../../ui/quantities.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { Pressable, Span } from './pressable.tsx';
import styles from './sound.module.css';
import type { Player } from './sound-player.ts';
import {
  centreView,
  followTime,
  formatMark,
  initialView,
  moveView,
  rulerMarks,
  type TimeView,
  zoomView,
} from './time-view.ts';
import { JUMP_SECONDS, Transport } from './transport.tsx';
import { Waveform } from './waveform.tsx';

export interface Track {
  readonly id: number | string;
  readonly label: ReactNode;
  /** Draws the part in view. */
  readonly content: (view: TimeView) => ReactNode;
  /** Draws it over the waveform of the whole, which shows while only a part is in view. */
  readonly overview?: (view: TimeView) => ReactNode;
  /** Called with the time where the track is pressed; by default the player goes there. */
  readonly onPress?: (seconds: number) => void;
}

interface SoundTracksProps {
  readonly player: Player;
  readonly peaks: Peaks;
  /** Tracks below the waveform. */
  readonly tracks: readonly Track[];
  /** Whether the waveform of the whole is a track, too. */
  readonly showsWhole?: boolean;
  /** Part that is marked on all tracks. */
  readonly marked?: TimeSpan | undefined;
  /** Called while a part is dragged over the tracks. */
  readonly onMark?: (part: TimeSpan) => void;
  /** Buttons of the transport that only the tool has. */
  readonly children?: ReactNode;
}

/** Id of the track of the whole. */
const WHOLE = 'sound';

/** Waveform of a recording with tracks below it, a ruler above, and the transport. All show the same part in view. */
export function SoundTracks(props: SoundTracksProps) {
  const { player, peaks, tracks, showsWhole = true, marked, onMark, children } = props;
  const { durationSeconds } = peaks;
  const { view, isFollowing, setFollowing, zoom, scroll, goTo } = useTimeView(player, durationSeconds);
  useSoundShortcuts(player);
  const whole: Track = { id: WHOLE, label: 'Sound', content: () => <Waveform peaks={peaks} view={view} /> };
  const hasOverview = view.seconds < durationSeconds;
  return (
    <div className={styles.sound}>
      <section
        className={styles.tracks}
        aria-label="Tracks"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
        tabIndex={0}
        data-whole={showsWhole}
        data-overview={hasOverview}
        onWheel={scroll}
      >
        {hasOverview && <Overview player={player} peaks={peaks} tracks={tracks} view={view} onPress={goTo} />}
        <span className={styles.label} />
        <Ruler view={view} />
        {[...(showsWhole ? [whole] : []), ...tracks].map(({ id, label, content, onPress = player.seek }) => (
          <div key={id} className={styles.track} data-filling={!showsWhole || id === WHOLE}>
            <span className={styles.label}>{label}</span>
            <Pressable className={styles.lane} view={view} onPress={onPress} onMark={onMark}>
              {content(view)}
              {marked && <Span className={styles.mark} part={marked} view={view} />}
              <Playhead player={player} view={view} />
            </Pressable>
          </div>
        ))}
      </section>
      <Transport
        player={player}
        durationSeconds={durationSeconds}
        shownSeconds={hasOverview ? view.seconds : undefined}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        onZoom={zoom}
      >
        {children}
      </Transport>
    </div>
  );
}

interface OverviewProps extends Pick<SoundTracksProps, 'player' | 'peaks' | 'tracks'> {
  readonly view: TimeView;
  readonly onPress: (seconds: number) => void;
}

/** Waveform of the whole, on which the part in view is marked. */
function Overview({ player, peaks, tracks, view, onPress }: OverviewProps) {
  const whole = { fromSeconds: 0, seconds: peaks.durationSeconds };
  return (
    <>
      <span className={styles.label}>{formatClock(peaks.durationSeconds)}</span>
      <Pressable className={styles.overview} view={whole} onPress={onPress}>
        <Waveform peaks={peaks} view={whole} />
        {tracks.map(({ id, overview }) => (
          <Fragment key={id}>{overview?.(whole)}</Fragment>
        ))}
        <Span className={styles.window} part={getPart(view)} view={whole} />
        <Playhead player={player} view={whole} />
      </Pressable>
    </>
  );
}

function useSoundShortcuts(player: Player): void {
  const jump = (seconds: number) => player.seek(player.atSeconds.get() + seconds);
  useShortcuts('Sound', [
    { keys: [' ', 'K'], does: 'Play or pause', run: player.toggle },
    { keys: ['ArrowLeft'], does: 'Go back 5 seconds', run: () => jump(-JUMP_SECONDS) },
    { keys: ['ArrowRight'], does: 'Go forward 5 seconds', run: () => jump(JUMP_SECONDS) },
  ]);
}

function getPart({ fromSeconds, seconds }: TimeView): TimeSpan {
  return { start: fromSeconds, end: fromSeconds + seconds };
}

/** Share of the ruler from which on the time of a mark would be cut off: on a wide one, and on one as narrow as a phone. */
const LATE = { wide: 0.9, phone: 0.75 } as const;

function Ruler({ view }: { readonly view: TimeView }) {
  const marks = rulerMarks(view).map((seconds) => ({
    seconds,
    share: (seconds - view.fromSeconds) / view.seconds,
  }));
  return (
    <div className={styles.ruler} aria-hidden>
      {marks
        .filter(({ share }) => share <= LATE.wide)
        .map(({ seconds, share }) => (
          <span key={seconds} data-late={share > LATE.phone} style={{ insetInlineStart: `${share * 100}%` }}>
            {formatMark(seconds)}
          </span>
        ))}
    </div>
  );
}

/** Line at the position of the player. It moves without rendering the page. */
function Playhead({ player, view }: { readonly player: Player; readonly view: TimeView }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      const share = (player.atSeconds.get() - view.fromSeconds) / view.seconds;
      const target = line.current;
      if (!target) return;
      target.hidden = !(share >= 0 && share <= 1);
      target.style.insetInlineStart = `${share * 100}%`;
    };
    place();
    return player.atSeconds.subscribe(place);
  }, [player, view]);
  return <div ref={line} className={styles.playhead} aria-hidden hidden />;
}

/** Part of the time in view. It follows the player until the visitor turns that off. */
function useTimeView(player: Player, durationSeconds: number) {
  const [view, setView] = useState(() => initialView(durationSeconds));
  const [isFollowing, setFollowing] = useState(true);
  useEffect(() => {
    if (!isFollowing) return;
    const follow = () => setView((before) => followTime(before, player.atSeconds.get(), durationSeconds));
    return player.atSeconds.subscribe(follow);
  }, [player, isFollowing, durationSeconds]);
  return {
    view,
    isFollowing,
    setFollowing,
    zoom: (factor: number) =>
      setView((before) => zoomView(before, factor, player.atSeconds.get(), durationSeconds)),
    scroll({ deltaX, deltaY, shiftKey, currentTarget }: WheelEvent) {
      const pixels = deltaX || (shiftKey ? deltaY : 0);
      const perPixel = view.seconds / currentTarget.clientWidth;
      if (pixels !== 0) {
        setView((before) => moveView(before, before.fromSeconds + pixels * perPixel, durationSeconds));
      }
    },
    goTo(seconds: number) {
      player.seek(seconds);
      setView((before) => centreView(before, seconds, durationSeconds));
    },
  };
}
