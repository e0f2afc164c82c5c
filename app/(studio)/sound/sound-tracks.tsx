'use client';

import { type PointerEvent, type ReactNode, useEffect, useRef, useState, type WheelEvent } from 'react';
import type { Peaks } from '../../../models/kernels/audio/peaks.ts';
import { formatClock } from '../../text/quantities.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { Playhead } from './playhead.tsx';
import styles from './sound.module.css';
import type { Player } from './sound-player.ts';
import type { TimeRange } from './time-range.ts';
import {
  centreView,
  followTime,
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
  readonly marked?: TimeRange | undefined;
  /** Called while a part is dragged over the tracks. */
  readonly onMark?: (part: TimeRange) => void;
  /** Buttons of the transport that only the tool has. */
  readonly children?: ReactNode;
}

/** Id of the track of the whole. */
const WHOLE = 'sound';

/** Waveform of a recording with tracks below it, a ruler above, and the transport. All show the same part in view. */
export function SoundTracks(props: SoundTracksProps) {
  const { player, peaks, tracks, showsWhole = true, marked, onMark, children } = props;
  const { durationSeconds } = peaks;
  const [view, setView] = useState(() => initialView(durationSeconds));
  const [isFollowing, setFollowing] = useState(true);
  useEffect(() => {
    if (!isFollowing) return;
    const follow = () => setView((before) => followTime(before, player.atSeconds.get(), durationSeconds));
    return player.atSeconds.subscribe(follow);
  }, [player, isFollowing, durationSeconds]);
  const jump = (seconds: number) => player.seek(player.atSeconds.get() + seconds);
  useShortcuts('Sound', [
    { keys: [' ', 'K'], does: 'Play or pause', run: player.toggle },
    { keys: ['ArrowLeft'], does: 'Go back 5 seconds', run: () => jump(-JUMP_SECONDS) },
    { keys: ['ArrowRight'], does: 'Go forward 5 seconds', run: () => jump(JUMP_SECONDS) },
  ]);
  const zoom = (factor: number) =>
    setView((before) => zoomView(before, factor, player.atSeconds.get(), durationSeconds));
  const scroll = ({ deltaX, deltaY, shiftKey, currentTarget }: WheelEvent) => {
    const pixels = deltaX || (shiftKey ? deltaY : 0);
    const perPixel = view.seconds / currentTarget.clientWidth;
    if (pixels !== 0) {
      setView((before) => moveView(before, before.fromSeconds + pixels * perPixel, durationSeconds));
    }
  };
  const all: readonly Track[] = [
    ...(showsWhole
      ? [{ id: WHOLE, label: 'Sound', content: () => <Waveform peaks={peaks} view={view} /> }]
      : []),
    ...tracks,
  ];
  const whole = { fromSeconds: 0, seconds: durationSeconds };
  const hasOverview = view.seconds < durationSeconds;
  const goTo = (seconds: number) => {
    player.seek(seconds);
    setView((before) => centreView(before, seconds, durationSeconds));
  };
  return (
    <div className={styles.sound}>
      <div className={styles.tracks} data-whole={showsWhole} data-overview={hasOverview} onWheel={scroll}>
        {hasOverview && (
          <>
            <span className={styles.label}>{formatClock(durationSeconds)}</span>
            <Pressable className={styles.overview} view={whole} onPress={goTo}>
              <Waveform peaks={peaks} view={whole} />
              <Span className={styles.window} part={partOf(view)} view={whole} />
              <Playhead player={player} view={whole} />
            </Pressable>
          </>
        )}
        <span className={styles.label} />
        <Ruler view={view} />
        {all.map(({ id, label, content, onPress = player.seek }) => (
          <div key={id} className={styles.track} data-filling={!showsWhole || id === WHOLE}>
            <span className={styles.label}>{label}</span>
            <Pressable className={styles.lane} view={view} onPress={onPress} onMark={onMark}>
              {content(view)}
              {marked && <Span className={styles.mark} part={marked} view={view} />}
              <Playhead player={player} view={view} />
            </Pressable>
          </div>
        ))}
      </div>
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

interface PressableProps {
  readonly className: string | undefined;
  readonly view: TimeView;
  readonly onPress: (seconds: number) => void;
  readonly onMark?: ((part: TimeRange) => void) | undefined;
  readonly children: ReactNode;
}

/** Distance that makes a press a drag, in pixels. */
const DRAG_MIN = 6;

/** Part of a track that takes presses and drags by pointer. By keys, the transport and the settings of a tool do the same. */
function Pressable({ className, view, onPress, onMark, children }: PressableProps) {
  const from = useRef<number>(undefined);
  const isDragged = useRef(false);
  const timeAt = (clientX: number, target: Element) => {
    const { left, width } = target.getBoundingClientRect();
    const share = Math.min(Math.max((clientX - left) / width, 0), 1);
    return view.fromSeconds + share * view.seconds;
  };
  const begin = ({ button, clientX, currentTarget, pointerId }: PointerEvent) => {
    if (button !== 0) return;
    from.current = clientX;
    // A finger that scrolls the tracks gets its press cancelled.
    if (onMark) currentTarget.setPointerCapture(pointerId);
  };
  const drag = ({ clientX, currentTarget }: PointerEvent) => {
    if (!onMark || from.current === undefined) return;
    if (!isDragged.current && Math.abs(clientX - from.current) < DRAG_MIN) return;
    isDragged.current = true;
    const [start, end] = [Math.min(clientX, from.current), Math.max(clientX, from.current)];
    onMark({ start: timeAt(start, currentTarget), end: timeAt(end, currentTarget) });
  };
  const release = () => {
    from.current = undefined;
    isDragged.current = false;
  };
  const press = ({ clientX, currentTarget }: PointerEvent) => {
    if (from.current !== undefined && !isDragged.current) onPress(timeAt(clientX, currentTarget));
    release();
  };
  return (
    <div
      className={className}
      data-pressable
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={press}
      onPointerCancel={release}
    >
      {children}
    </div>
  );
}

interface SpanProps {
  readonly className: string | undefined;
  readonly part: TimeRange;
  readonly view: TimeView;
}

/** Marks a part of what is in view. */
function Span({ className, part: { start, end }, view: { fromSeconds, seconds } }: SpanProps) {
  const percent = (time: number) => `${(time / seconds) * 100}%`;
  const place = { insetInlineStart: percent(start - fromSeconds), inlineSize: percent(end - start) };
  return <div className={className} style={place} aria-hidden />;
}

function partOf({ fromSeconds, seconds }: TimeView): TimeRange {
  return { start: fromSeconds, end: fromSeconds + seconds };
}

function Ruler({ view }: { readonly view: TimeView }) {
  return (
    <div className={styles.ruler} aria-hidden>
      {rulerMarks(view).map((seconds) => (
        <span
          key={seconds}
          style={{ insetInlineStart: `${((seconds - view.fromSeconds) / view.seconds) * 100}%` }}
        >
          {formatClock(seconds)}
        </span>
      ))}
    </div>
  );
}
