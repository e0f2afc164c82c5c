'use client';

import { Redo2, Undo2 } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { formatClock } from '../../ui/quantities.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
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
  mergeSpeakers,
  nextSpeakerNumber,
  reassignSegment,
  renameSpeaker,
  type Speaker,
  type SpeakerEdits,
  speechSeconds,
  splitSpeaker,
  type Timeline,
} from './timeline.ts';

interface EditButtonsProps {
  readonly history: EditHistory;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

interface SpeakerSettingsProps {
  readonly timeline: Timeline;
  readonly history: EditHistory;
  readonly player: SoundPlayer;
  readonly onEdits: (edits: SpeakerEdits) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Talk time of each speaker, who can be renamed, merged and split, and all segments, to hear and to correct. */
export function SpeakerSettings(props: SpeakerSettingsProps) {
  const { timeline, history, player, onEdits, onUndo, onRedo } = props;
  const { now: edits } = history;
  const segments = useMemo(() => applyMoves(timeline, edits), [timeline, edits]);
  const speakers = useMemo(() => getSpeakers(segments, edits), [segments, edits]);
  const place = useCurrentSegment(player, segments);
  const { durationSeconds } = useSound(player);
  const getShare = getShares(speakers);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <>
      <section className={styles.section} aria-labelledby="talk-time">
        <div className={styles.heading}>
          <h2 id="talk-time" ref={heading} tabIndex={-1}>
            Talk time
          </h2>
          <span className="facts">
            {formatClock(speechSeconds(segments))}
            {durationSeconds > 0 && ` of ${formatClock(durationSeconds)}`}
          </span>
          <EditButtons history={history} onUndo={onUndo} onRedo={onRedo} />
        </div>
        <TalkTimes speakers={speakers} />
        <ul className={styles.speakers}>
          {speakers.map((speaker, at) => (
            <SpeakerRow
              key={speaker.id}
              speaker={speaker}
              lane={getColour(at)}
              share={`${formatClock(speaker.seconds)} · ${getShare(speaker.seconds)} %`}
              others={speakers.filter(({ id }) => id !== speaker.id)}
              splitAt={canSplit(segments, speaker.id, place) ? segments[place]?.start : undefined}
              onRename={(name) => onEdits(renameSpeaker(edits, speaker.id, name))}
              onMerge={(into) => {
                onEdits(mergeSpeakers(timeline, edits, speaker.id, into));
                // The row with the button is gone.
                heading.current?.focus();
              }}
              onSplit={() => onEdits(splitSpeaker(timeline, edits, speaker.id, place))}
            />
          ))}
        </ul>
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
function TalkTimes({ speakers }: { readonly speakers: readonly Speaker[] }) {
  const getShare = getShares(speakers);
  const summary = speakers.map(({ name, seconds }) => `${name} ${getShare(seconds)} percent`).join(', ');
  return (
    <div className={styles.bar} role="img" aria-label={summary}>
      {speakers.map(({ id, seconds }, at) => (
        <i key={id} data-lane={getColour(at)} style={{ flexGrow: seconds }} />
      ))}
    </div>
  );
}

/** Returns the function that computes the share of a time in all talk time, in whole percent. */
function getShares(speakers: readonly Speaker[]): (seconds: number) => number {
  const total = speakers.reduce((sum, { seconds }) => sum + seconds, 0);
  return (seconds) => Math.round((100 * seconds) / total);
}

/** Undoes and redoes names, merges, splits and corrections. A button with nothing left to do keeps the focus. */
function EditButtons({ history, onUndo, onRedo }: EditButtonsProps) {
  useShortcuts('Speakers', [
    { keys: ['Mod+Z'], does: 'Undo a change', run: onUndo },
    { keys: ['Mod+Shift+Z', 'Mod+Y'], does: 'Redo a change', run: onRedo },
  ]);
  return (
    <span className={styles.history}>
      <button
        type="button"
        className="button-icon"
        aria-label="Undo"
        title="Undo"
        aria-disabled={history.before.length === 0}
        onClick={onUndo}
      >
        <Undo2 size={18} strokeWidth={1.5} aria-hidden />
      </button>
      <button
        type="button"
        className="button-icon"
        aria-label="Redo"
        title="Redo"
        aria-disabled={history.undone.length === 0}
        onClick={onRedo}
      >
        <Redo2 size={18} strokeWidth={1.5} aria-hidden />
      </button>
    </span>
  );
}
