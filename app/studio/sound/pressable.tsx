'use client';

import { type PointerEvent, type ReactNode, useRef } from 'react';
import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';
import type { TimeView } from './time-view.ts';

interface PressableProps {
  readonly className: string | undefined;
  readonly view: TimeView;
  readonly onPress: (seconds: number) => void;
  readonly onMark?: ((part: TimeSpan) => void) | undefined;
  readonly children: ReactNode;
}

/** Distance that makes a press a drag, in pixels. */
const DRAG_MIN = 6;

/**
 * Part of a track that takes presses and drags by pointer. By keys, the transport and the settings of a tool do the
 * same.
 */
export function Pressable({ className, view, onPress, onMark, children }: PressableProps) {
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
  readonly part: TimeSpan;
  readonly view: TimeView;
}

/** Marks a part of what is in view. */
export function Span({ className, part: { start, end }, view: { fromSeconds, seconds } }: SpanProps) {
  const percent = (time: number) => `${(time / seconds) * 100}%`;
  const place = { insetInlineStart: percent(start - fromSeconds), inlineSize: percent(end - start) };
  return <div className={className} style={place} aria-hidden />;
}
