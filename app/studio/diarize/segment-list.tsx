'use client';

import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { formatClock } from '../../text/quantities.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import styles from './diarize.module.css';
import { ALL_SEGMENTS, findSegments, stepAmong } from './find-segments.ts';
import { ROW_PIXELS, rowsToDraw, windowAt } from './row-window.ts';
import { SegmentFilter } from './segment-filter.tsx';
import { SegmentRows } from './segment-rows.tsx';
import type { Segment, Speaker } from './timeline.ts';

interface SegmentListProps {
  readonly segments: readonly Segment[];
  /** By their first turn. */
  readonly speakers: readonly Speaker[];
  /** Place of the current segment; -1 before the first. */
  readonly place: number;
  readonly onPlay: (segment: Segment, place: number) => void;
  /** Gives a segment to a speaker; undefined is a new one. */
  readonly onAssign: (place: number, speaker: number | undefined) => void;
}

const NEW = 'new';

/**
 * Lists the segments, all or those that are looked for, and draws only those near the view. A press plays one; the
 * arrow keys go to the one before and after, and from anywhere on the page J and L do.
 */
export function SegmentList({ segments, speakers, place, onPlay, onAssign }: SegmentListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const [focused, setFocused] = useState(-1);
  const [query, setQuery] = useState(ALL_SEGMENTS);
  const found = useMemo(() => findSegments(segments, speakers, query), [segments, speakers, query]);
  const current = segments[place];
  const row = found.indexOf(place);
  useEffect(() => {
    if (scroller.current && row >= 0) showRow(scroller.current, row);
  }, [row]);
  const play = (next: number | undefined): void => {
    const segment = next === undefined ? undefined : segments[next];
    if (segment && next !== undefined) onPlay(segment, next);
  };
  useShortcuts('Segments', [
    { keys: ['J'], does: 'Hear the segment before', run: () => play(stepAmong(found, place, -1)) },
    { keys: ['L'], does: 'Hear the next segment', run: () => play(stepAmong(found, place, 1)) },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step || focused < 0) return;
    event.preventDefault();
    const next = found[focused + step];
    if (next === undefined) return;
    scroller.current?.querySelector<HTMLElement>(`[data-place="${next}"]`)?.focus();
    play(next);
  };
  const reachable = Math.max(0, row);
  // The keyboard finds the reachable row, the focused one and its neighbours also when they are out of view.
  const rows = rowsToDraw(first, found.length, [reachable, focused - 1, focused, focused + 1]);
  const list = { segments, speakers, found, place, reachable, rows, onPlay };
  return (
    <section className={styles.section} aria-labelledby="segments">
      <div className={styles.heading}>
        <h2 id="segments">Segments</h2>
        <span className={styles.hint} role="status">
          {found.length < segments.length ? `${found.length} of ${segments.length}` : 'Press one to hear it'}
        </span>
      </div>
      <SegmentFilter query={query} speakers={speakers} onQuery={setQuery} />
      <div
        ref={scroller}
        className={styles.scroller}
        onScroll={({ currentTarget }) => setFirst(windowAt(currentTarget.scrollTop))}
      >
        <SegmentRows {...list} onFocus={setFocused} onKeyDown={onKeyDown} />
      </div>
      {current && (
        <Assignment segment={current} speakers={speakers} onAssign={(speaker) => onAssign(place, speaker)} />
      )}
    </section>
  );
}

interface AssignmentProps extends Pick<SegmentListProps, 'speakers'> {
  readonly segment: Segment;
  readonly onAssign: (speaker: number | undefined) => void;
}

/** Chooses whose segment the current one is. */
function Assignment({ segment, speakers, onAssign }: AssignmentProps) {
  return (
    <label className={styles.assign}>
      <span>Segment at {formatClock(segment.start)} is</span>
      <select
        value={segment.speaker}
        onChange={({ currentTarget: { value } }) => onAssign(value === NEW ? undefined : Number(value))}
      >
        {speakers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value={NEW}>a new speaker</option>
      </select>
    </label>
  );
}

/** Scrolls to a row that is out of view. */
function showRow(box: HTMLElement, row: number): void {
  const top = row * ROW_PIXELS;
  const isInView = top >= box.scrollTop && top + ROW_PIXELS <= box.scrollTop + box.clientHeight;
  if (!isInView) box.scrollTop = top;
}
