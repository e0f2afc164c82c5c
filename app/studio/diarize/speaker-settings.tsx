'use client';

import { useMemo, useRef } from 'react';
import { formatClock } from '../../ui/quantities.ts';
import { UndoButtons, useUndoKeys } from '../form/undo-buttons.tsx';
import type { SoundPlayer } from '../sound/sound-player.ts';
import { useSound } from '../sound/transport.tsx';
import styles from './diarize.module.css';
import { SegmentList, useCurrentSegment } from './segment-list.tsx';
import { SpeakerRow } from './speaker-row.tsx';
import type { EditHistory } from './timeline.ts';
import {
  applyMoves,
  canSplit,
  getColour,
  getSpeakers,
  getTalkTimes,
  mergeSpeakers,
  nextSpeakerNumber,
  reassignSegment,
  renameSpeaker,
  type Speaker,
  type SpeakerEdits,
  splitSpeaker,
  type TalkTimes,
  type Timeline,
} from './timeline.ts';

interface SpeakerSettingsProps {
  readonly timeline: Timeline;
  readonly history: EditHistory;
  readonly player: SoundPlayer;
  readonly onEdits: (edits: SpeakerEdits) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  /** Counts the other files that have a speaker of a name. */
  readonly countOthers: (name: string) => number;
  /** Renames the speakers of a name in all other files. */
  readonly onRenameOthers: (from: string, name: string) => void;
}

/** Talk time of each speaker, who can be renamed, merged and split, and all segments, to hear and to correct. */
export function SpeakerSettings(props: SpeakerSettingsProps) {
  const { timeline, history, player, onEdits, onUndo, onRedo, countOthers, onRenameOthers } = props;
  const { now: edits } = history;
  const segments = useMemo(() => applyMoves(timeline, edits), [timeline, edits]);
  const speakers = useMemo(() => getSpeakers(segments, edits), [segments, edits]);
  const place = useCurrentSegment(player, segments);
  const { durationSeconds } = useSound(player);
  const times = getTalkTimes(segments, speakers);
  const heading = useRef<HTMLHeadingElement>(null);
  useUndoKeys({ group: 'Speakers', what: 'a change', undo: onUndo, redo: onRedo });
  return (
    <>
      <section className={styles.section} aria-labelledby="talk-time">
        <div className={styles.heading}>
          <h2 id="talk-time" ref={heading} tabIndex={-1}>
            Talk time
          </h2>
          <span className="facts">
            {formatClock(times.speech)}
            {durationSeconds > 0 && ` of ${formatClock(durationSeconds)}`}
          </span>
          <span className={styles.history}>
            <UndoButtons
              canUndo={history.before.length > 0}
              canRedo={history.undone.length > 0}
              onUndo={onUndo}
              onRedo={onRedo}
            />
          </span>
        </div>
        <TalkTimeBar speakers={speakers} percent={times.percent} />
        <ul className={styles.speakers}>
          {speakers.map((speaker, at) => (
            <SpeakerRow
              key={speaker.id}
              speaker={speaker}
              lane={getColour(at)}
              share={`${formatClock(times.seconds[at] ?? 0)} · ${times.percent[at]} %`}
              others={speakers.filter(({ id }) => id !== speaker.id)}
              splitAt={canSplit(segments, speaker.id, place) ? segments[place]?.start : undefined}
              otherFiles={countOthers(speaker.name)}
              onRename={(name, isEverywhere) => {
                onEdits(renameSpeaker(edits, speaker.id, name));
                if (isEverywhere) onRenameOthers(speaker.name, name);
              }}
              onMerge={(into) => {
                onEdits(mergeSpeakers(timeline, edits, speaker.id, into));
                // The row with the button is gone.
                heading.current?.focus();
              }}
              onSplit={() => onEdits(splitSpeaker(timeline, edits, speaker.id, place))}
            />
          ))}
        </ul>
        {times.overlap > 0 && (
          <p className={styles.hint}>
            {formatClock(times.overlap)} of it counts twice: several speak at once.
          </p>
        )}
      </section>
      <SegmentList
        segments={segments}
        speakers={speakers}
        place={place}
        onPlay={player.playPart}
        onAssign={(at, speaker) =>
          onEdits(reassignSegment(edits, at, speaker ?? nextSpeakerNumber(timeline, edits)))
        }
      />
    </>
  );
}

/** Bar in which each speaker has a share. */
function TalkTimeBar({
  speakers,
  percent,
}: Pick<TalkTimes, 'percent'> & { readonly speakers: readonly Speaker[] }) {
  const summary = speakers.map(({ name }, at) => `${name} ${percent[at]} percent`).join(', ');
  return (
    <div className={styles.bar} role="img" aria-label={summary}>
      {speakers.map(({ id, seconds }, at) => (
        <i key={id} data-lane={getColour(at)} style={{ flexGrow: seconds }} />
      ))}
    </div>
  );
}
