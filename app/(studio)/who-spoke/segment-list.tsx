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
  const placeOf = new Map(speakers.map(({ id }, at) => [id, at]));
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
        <ol
          className={styles.segments}
          style={{ blockSize: segments.length * ROW_PIXELS }}
          aria-labelledby="segments"
          onKeyDown={onKeyDown}
        >
          {rows.map((at) => {
            const segment = segments[at];
            if (!segment) return null;
            const lane = placeOf.get(segment.speaker) ?? 0;
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
                  onFocus={() => setFocused(at)}
                  onClick={() => onPlay(segment, at)}
                >
                  <RowContent segment={segment} name={speakers[lane]?.name} />
                </button>
              </li>
            );
          })}
        </ol>
      </div>
      {current && (
        <label className={styles.assign}>
          <span>Segment at {formatClock(current.start)} is</span>
          <select
            value={current.speaker}
            onChange={({ currentTarget: { value } }) =>
              onAssign(place, value === NEW ? undefined : Number(value))
            }
          >
            {speakers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            <option value={NEW}>a new speaker</option>
          </select>
        </label>
      )}
    </section>
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
