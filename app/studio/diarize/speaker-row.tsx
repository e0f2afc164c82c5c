'use client';

import { Ellipsis } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatClock, formatCount } from '../../ui/quantities.ts';
import styles from './diarize.module.css';
import type { Speaker } from './timeline.ts';

interface MergeChoiceProps {
  readonly name: string;
  /** At least one. */
  readonly others: readonly Speaker[];
  readonly onMerge: (into: number) => void;
}

interface NameFieldProps {
  readonly name: string;
  /** Number of other files with a speaker of the name. */
  readonly otherFiles: number;
  /** @param isEverywhere whether the speakers of the name in other files get the new one, too */
  readonly onRename: (name: string, isEverywhere: boolean) => void;
}

interface SpeakerRowProps extends Pick<NameFieldProps, 'otherFiles' | 'onRename'> {
  readonly speaker: Speaker;
  readonly lane: number;
  /** Talk time, and its share. */
  readonly share: string;
  readonly others: readonly Speaker[];
  /** Time from which the turns of this speaker can become those of a new one; undefined where none come before it. */
  readonly splitAt: number | undefined;
  readonly onMerge: (into: number) => void;
  readonly onSplit: () => void;
}

/** A speaker with talk time; opened, with a field for the name and ways to merge and split. */
export function SpeakerRow(props: SpeakerRowProps) {
  const { speaker, lane, share, others, splitAt, otherFiles, onRename, onMerge, onSplit } = props;
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
          <NameField name={name} otherFiles={otherFiles} onRename={onRename} />
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

/**
 * Field for a name, taken by Enter or on leaving. The focus stays in it after Enter. The choice of its reach comes first,
 * since a step from the field takes the name.
 */
function NameField({ name, otherFiles, onRename }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isEverywhere, setEverywhere] = useState(false);
  useEffect(() => {
    // The name that was taken may differ from what was typed, or be undone.
    if (field.current) field.current.value = name;
  }, [name]);
  const take = (typed: string) => {
    if (typed === name) return;
    // An empty one brings the old name back, which is no change.
    if (field.current && typed.trim() === '') field.current.value = name;
    onRename(typed, isEverywhere && otherFiles > 0);
  };
  return (
    <>
      {otherFiles > 0 && (
        <label className={styles.everywhere}>
          <input
            type="checkbox"
            checked={isEverywhere}
            onChange={(event) => setEverywhere(event.currentTarget.checked)}
          />
          <span>
            Also in {formatCount(otherFiles, 'other file')} with {name}
          </span>
        </label>
      )}
      <label>
        <span>Name</span>
        <input
          ref={field}
          defaultValue={name}
          maxLength={80}
          aria-label={`Name of ${name}`}
          onBlur={(event) => take(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take(event.currentTarget.value);
          }}
        />
      </label>
    </>
  );
}

/** Choice of another speaker, and a button that merges: arrow keys alone must change nothing. */
function MergeChoice({ name, others, onMerge }: MergeChoiceProps) {
  const [chosen, setChosen] = useState<number>();
  const into = others.find(({ id }) => id === chosen) ?? others[0];
  return (
    <div className={styles.merge}>
      <label>
        <span>Same person as</span>
        <select
          value={into?.id}
          aria-label={`Same person as ${name}`}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        >
          {others.map((other) => (
            <option key={other.id} value={other.id}>
              {other.name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="button" onClick={() => into && onMerge(into.id)}>
        Merge
      </button>
    </div>
  );
}
