'use client';

import styles from './diarize.module.css';
import type { SegmentQuery } from './find-segments.ts';
import type { Speaker } from './timeline.ts';

interface SegmentFilterProps {
  readonly query: SegmentQuery;
  readonly speakers: readonly Speaker[];
  readonly onQuery: (query: SegmentQuery) => void;
}

const ALL = 'all';

/** Finds segments by speaker, by time or by name. */
export function SegmentFilter({ query, speakers, onQuery }: SegmentFilterProps) {
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
