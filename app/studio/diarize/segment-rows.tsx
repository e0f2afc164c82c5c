'use client';

import type { KeyboardEvent } from 'react';
import { formatClock, formatSeconds } from '../../text/quantities.ts';
import { colourOf } from './colours.ts';
import styles from './diarize.module.css';
import { ROW_PIXELS } from './row-window.ts';
import type { Segment, Speaker } from './timeline.ts';

interface SegmentRowsProps {
  readonly segments: readonly Segment[];
  /** By their first turn. */
  readonly speakers: readonly Speaker[];
  /** Places of the segments that are listed, a row for each. */
  readonly found: readonly number[];
  /** Place of the current segment; -1 before the first. */
  readonly place: number;
  readonly onPlay: (segment: Segment, place: number) => void;
  /** Rows that are drawn. */
  readonly rows: readonly number[];
  /** The one row that the Tab key reaches. */
  readonly reachable: number;
  readonly onFocus: (row: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Rows of the segments, each at its own height. */
export function SegmentRows(props: SegmentRowsProps) {
  const { segments, speakers, found, place, rows, reachable, onPlay, onFocus, onKeyDown } = props;
  const laneOf = new Map(speakers.map(({ id }, at) => [id, at]));
  return (
    <ol
      className={styles.segments}
      style={{ blockSize: found.length * ROW_PIXELS }}
      aria-labelledby="segments"
      onKeyDown={onKeyDown}
    >
      {rows.map((row) => {
        const at = found[row] ?? -1;
        const segment = segments[at];
        if (!segment) return null;
        const lane = laneOf.get(segment.speaker) ?? 0;
        return (
          <li
            key={at}
            style={{ insetBlockStart: row * ROW_PIXELS }}
            aria-setsize={found.length}
            aria-posinset={row + 1}
          >
            <button
              type="button"
              data-place={at}
              data-lane={colourOf(lane)}
              aria-current={at === place}
              tabIndex={row === reachable ? 0 : -1}
              onFocus={() => onFocus(row)}
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
