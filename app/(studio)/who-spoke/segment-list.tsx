'use client';

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatClock, formatSeconds } from '../../text/quantities.ts';
import { colourOf } from './colours.ts';
import { ROW_PIXELS, rowsToDraw, windowAt } from './row-window.ts';
import type { Segment, Speaker } from './timeline.ts';
import styles from './who-spoke.module.css';

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
 * Lists all segments, and draws only those near the view. A press plays one; the arrow keys go to the one before and
 * after.
 */
export function SegmentList({ segments, speakers, place, onPlay, onAssign }: SegmentListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const [focused, setFocused] = useState(-1);
  const current = segments[place];
  const reachable = Math.max(0, place);
  useEffect(() => {
    if (scroller.current && place >= 0) showRow(scroller.current, place);
  }, [place]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const next = step && segments[focused + step];
    if (!step || focused < 0) return;
    event.preventDefault();
    if (!next) return;
    scroller.current?.querySelector<HTMLElement>(`[data-place="${focused + step}"]`)?.focus();
    onPlay(next, focused + step);
  };
  // The keyboard finds the reachable row, the focused one and its neighbours also when they are out of view.
  const rows = rowsToDraw(first, segments.length, [reachable, focused - 1, focused, focused + 1]);
  const list = { segments, speakers, place, reachable, rows, onPlay };
  return (
    <section className={styles.section} aria-labelledby="segments">
      <div className={styles.heading}>
        <h2 id="segments">Segments</h2>
        <span className={styles.hint}>Press one to hear it</span>
      </div>
      <div
        ref={scroller}
        className={styles.scroller}
        onScroll={({ currentTarget }) => setFirst(windowAt(currentTarget.scrollTop))}
      >
        <Rows {...list} onFocus={setFocused} onKeyDown={onKeyDown} />
      </div>
      {current && (
        <Assignment segment={current} speakers={speakers} onAssign={(speaker) => onAssign(place, speaker)} />
      )}
    </section>
  );
}

interface RowsProps extends Pick<SegmentListProps, 'segments' | 'speakers' | 'place' | 'onPlay'> {
  /** Places of the segments that are drawn. */
  readonly rows: readonly number[];
  /** Place of the one row that the Tab key reaches. */
  readonly reachable: number;
  readonly onFocus: (place: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function Rows({ segments, speakers, place, rows, reachable, onPlay, onFocus, onKeyDown }: RowsProps) {
  const laneOf = new Map(speakers.map(({ id }, at) => [id, at]));
  return (
    <ol
      className={styles.segments}
      style={{ blockSize: segments.length * ROW_PIXELS }}
      aria-labelledby="segments"
      onKeyDown={onKeyDown}
    >
      {rows.map((at) => {
        const segment = segments[at];
        if (!segment) return null;
        const lane = laneOf.get(segment.speaker) ?? 0;
        return (
          <li
            key={at}
            style={{ insetBlockStart: at * ROW_PIXELS }}
            aria-setsize={segments.length}
            aria-posinset={at + 1}
          >
            <button
              type="button"
              data-place={at}
              data-lane={colourOf(lane)}
              aria-current={at === place}
              tabIndex={at === reachable ? 0 : -1}
              onFocus={() => onFocus(at)}
              onClick={() => onPlay(segment, at)}
            >
              <RowContent segment={segment} name={speakers[lane]?.name} />
            </button>
          </li>
        );
      })}
    </ol>
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

function RowContent({ segment: { start, end }, name }: { segment: Segment; name: string | undefined }) {
  return (
    <>
      <i className={styles.dot} aria-hidden />
      <span>{name}</span>
      <span className="facts">{formatClock(start)}</span>
      <span className="facts">{formatSeconds(end - start)}</span>
    </>
  );
}

/** Scrolls to a row that is out of view. */
function showRow(box: HTMLElement, row: number): void {
  const top = row * ROW_PIXELS;
  const isInView = top >= box.scrollTop && top + ROW_PIXELS <= box.scrollTop + box.clientHeight;
  if (!isInView) box.scrollTop = top;
}
