'use client';

import { type KeyboardEvent, useEffect, useRef } from 'react';
import { clock, seconds } from '../text/quantities.ts';
import { colourOf } from './colours.ts';
import type { Segment, Speaker } from './timeline.ts';
import styles from './who-spoke.module.css';

interface SegmentListProps {
  readonly segments: readonly Segment[];
  /** By their first turn. */
  readonly speakers: readonly Speaker[];
  /** Place of the current segment; -1 before the first. */
  readonly place: number;
  readonly onPlay: (segment: Segment) => void;
  /** Gives a segment to a speaker; undefined is a new one. */
  readonly onAssign: (place: number, speaker: number | undefined) => void;
}

const NEW = 'new';

/** All segments. A press plays one; the arrow keys go to the one before and after. */
export function SegmentList({ segments, speakers, place, onPlay, onAssign }: SegmentListProps) {
  const list = useRef<HTMLOListElement>(null);
  const placeOf = new Map(speakers.map(({ id }, at) => [id, at]));
  const current = segments[place];
  useEffect(() => {
    const scroller = list.current;
    const row = scroller?.children[place];
    if (!(scroller && row instanceof HTMLElement)) return;
    const { offsetTop, offsetHeight } = row;
    const { scrollTop, clientHeight } = scroller;
    const isAbove = offsetTop < scrollTop;
    if (isAbove || offsetTop + offsetHeight > scrollTop + clientHeight) scroller.scrollTop = offsetTop;
  }, [place]);
  const onKeyDown = (event: KeyboardEvent) => {
    const rows = [...(list.current?.children ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const next = step && segments[at + step];
    if (!step || at < 0) return;
    event.preventDefault();
    if (!next) return;
    rows[at + step]?.querySelector('button')?.focus();
    onPlay(next);
  };
  return (
    <section className={styles.section} aria-labelledby="segments">
      <h2 id="segments">Segments</h2>
      <ol ref={list} className={styles.segments} aria-labelledby="segments" onKeyDown={onKeyDown}>
        {segments.map((segment, at) => {
          const { speaker, start, end } = segment;
          const lane = placeOf.get(speaker) ?? 0;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: segments keep their places, and two may have the same times
            <li key={at}>
              <button
                type="button"
                data-lane={colourOf(lane)}
                aria-current={at === place}
                tabIndex={at === Math.max(0, place) ? 0 : -1}
                onClick={() => onPlay(segment)}
              >
                <i className={styles.dot} aria-hidden />
                <span>{speakers[lane]?.name}</span>
                <span className="facts">{clock(start)}</span>
                <span className="facts">{seconds(end - start)}</span>
              </button>
            </li>
          );
        })}
      </ol>
      {current && (
        <label className={styles.assign}>
          <span>Segment at {clock(current.start)} is</span>
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
