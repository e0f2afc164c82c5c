'use client';

import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { formatClock } from '../../text/quantities.ts';
import styles from './diarize.module.css';
import { MergeChoice } from './merge-choice.tsx';
import { NameField } from './name-field.tsx';
import type { Speaker } from './timeline.ts';

interface SpeakerRowProps {
  readonly speaker: Speaker;
  readonly lane: number;
  /** Talk time, and its share. */
  readonly share: string;
  readonly others: readonly Speaker[];
  /** Time from which the turns of this speaker can become those of a new one; undefined where none come before it. */
  readonly splitAt: number | undefined;
  readonly onRename: (name: string) => void;
  readonly onMerge: (into: number) => void;
  readonly onSplit: () => void;
}

/** A speaker with talk time; opened, with a field for the name and ways to merge and split. */
export function SpeakerRow(props: SpeakerRowProps) {
  const { speaker, lane, share, others, splitAt, onRename, onMerge, onSplit } = props;
  const { name } = speaker;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={styles.speaker} data-lane={lane}>
      <i className={styles.dot} aria-hidden />
      <b>{name}</b>
      <span className="facts">{share}</span>
      <button
        type="button"
        className="button-icon"
        aria-label={`Rename, merge or split ${name}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis size={20} strokeWidth={1.5} aria-hidden />
      </button>
      {isOpen && (
        <div className={styles.edit}>
          <NameField name={name} onRename={onRename} />
          {others.length > 0 && <MergeChoice name={name} others={others} onMerge={onMerge} />}
          <button type="button" className="button" disabled={splitAt === undefined} onClick={onSplit}>
            {splitAt === undefined
              ? 'Play a later segment to split there'
              : `Split from ${formatClock(splitAt)} on`}
          </button>
        </div>
      )}
    </li>
  );
}
