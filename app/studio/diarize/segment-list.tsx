'use client';

import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Segment } from '../../../models/operations/diarize/segment.ts';
import { formatClock, formatSeconds } from '../../ui/quantities.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import type { SoundPlayer } from '../sound/sound-player.ts';
import styles from './diarize.module.css';
import {
  ALL_SEGMENTS,
  findSegments,
  getColour,
  type SegmentQuery,
  type Speaker,
  segmentIndexAt,
  stepAmong,
} from './timeline.ts';

/** Offset for the rounding of positions by the browser. */
const ROUNDING_SECONDS = 0.02;

/** Height of a row in pixels, as the style sheet sets it. */
const ROW_PIXELS = 32;

/** Rows of one step: a window moves by whole steps, so that few movements draw it again. */
const STEP = 8;

/** Rows in a window: a step before the first visible row, the visible ones, and more than a step after them. */
const WINDOW = 4 * STEP;

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

interface SegmentFilterProps {
  readonly query: SegmentQuery;
  readonly speakers: readonly Speaker[];
  readonly onQuery: (query: SegmentQuery) => void;
}

const ALL = 'all';

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
          {found.length < segments.length ? `${found.length} of ${segments.length}` : ''}
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
      <span>{formatClock(segment.start)} is</span>
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

/** Finds segments by speaker, by time or by name. */
function SegmentFilter({ query, speakers, onQuery }: SegmentFilterProps) {
  return (
    <search className={styles.filter}>
      <input
        type="search"
        aria-label="Find segments by time or name"
        placeholder="Time or name"
        value={query.text}
        onChange={({ currentTarget }) => onQuery({ ...query, text: currentTarget.value })}
      />
      <select
        aria-label="Show the segments of"
        value={query.speaker ?? ALL}
        onChange={({ currentTarget: { value } }) =>
          onQuery({ ...query, speaker: value === ALL ? undefined : Number(value) })
        }
      >
        <option value={ALL}>All speakers</option>
        {speakers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </search>
  );
}

/** Rows of the segments, each at its own height. */
function SegmentRows(props: SegmentRowsProps) {
  const { segments, speakers, found, place, rows, reachable, onPlay, onFocus, onKeyDown } = props;
  const getLane = new Map(speakers.map(({ id }, at) => [id, at]));
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
        const lane = getLane.get(segment.speaker) ?? 0;
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
              data-lane={getColour(lane)}
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

/** Returns the first row of the window at a scroll position, in pixels. */
function windowAt(scrollTop: number): number {
  return Math.max(0, (Math.floor(scrollTop / (ROW_PIXELS * STEP)) - 1) * STEP);
}

/**
 * Lists the rows to draw, in order.
 * @param first first row of the window
 * @param count number of all rows
 * @param kept rows that are drawn wherever the window is, such as the one with the focus; those that do not exist are
 * left out
 */
function rowsToDraw(first: number, count: number, kept: readonly number[]): readonly number[] {
  const inWindow = Array.from({ length: WINDOW }, (_, at) => first + at);
  const rows = new Set([...inWindow, ...kept].filter((row) => row >= 0 && row < count));
  return [...rows].sort((one, other) => one - other);
}

/** Returns the place of the chosen segment, or of the one at the player's position; -1 before the first. */
export function useCurrentSegment({ atSeconds, chosen }: SoundPlayer, segments: readonly Segment[]): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      const leaving = [atSeconds.subscribe(listener), chosen.subscribe(listener)];
      return () => {
        for (const leave of leaving) leave();
      };
    },
    [atSeconds, chosen],
  );
  const read = () => chosen.get() ?? segmentIndexAt(segments, atSeconds.get() + ROUNDING_SECONDS);
  return useSyncExternalStore(subscribe, read, read);
}
