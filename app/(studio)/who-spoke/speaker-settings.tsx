'use client';

import { useMemo } from 'react';
import type { SoundPlayer } from '../sound/sound-player.ts';
import { useSound } from '../sound/transport.tsx';
import { clock } from '../text/quantities.ts';
import { colourOf } from './colours.ts';
import { EditButtons } from './edit-buttons.tsx';
import type { EditHistory } from './edit-history.ts';
import { SegmentList } from './segment-list.tsx';
import { SpeakerRow } from './speaker-row.tsx';
import {
  canSplit,
  merged,
  movedSegments,
  newSpeaker,
  reassigned,
  renamed,
  type SpeakerEdits,
  speakersOf,
  split,
  spokenSeconds,
  type Timeline,
} from './timeline.ts';
import { useCurrentPlace } from './use-current-place.ts';
import styles from './who-spoke.module.css';

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
  const segments = useMemo(() => movedSegments(timeline, edits), [timeline, edits]);
  const speakers = useMemo(() => speakersOf(segments, edits), [segments, edits]);
  const place = useCurrentPlace(player, segments);
  const { durationSeconds } = useSound(player);
  const total = speakers.reduce((sum, { seconds }) => sum + seconds, 0);
  const shareOf = (seconds: number) => Math.round((100 * seconds) / total);
  const summary = speakers.map(({ name, seconds }) => `${name} ${shareOf(seconds)} percent`).join(', ');
  return (
    <>
      <section className={styles.section} aria-labelledby="talk-time">
        <div className={styles.heading}>
          <h2 id="talk-time">Talk time</h2>
          <span className="facts">
            {clock(spokenSeconds(segments))}
            {durationSeconds > 0 && ` of ${clock(durationSeconds)}`}
          </span>
          <EditButtons {...{ history, onUndo, onRedo }} />
        </div>
        <div className={styles.bar} role="img" aria-label={summary}>
          {speakers.map(({ id, seconds }, at) => (
            <i key={id} data-lane={colourOf(at)} style={{ flexGrow: seconds }} />
          ))}
        </div>
        <ul className={styles.speakers}>
          {speakers.map((speaker, at) => (
            <SpeakerRow
              key={speaker.id}
              speaker={speaker}
              lane={colourOf(at)}
              share={`${clock(speaker.seconds)} · ${shareOf(speaker.seconds)} %`}
              others={speakers.filter(({ id }) => id !== speaker.id)}
              splitAt={canSplit(segments, speaker.id, place) ? segments[place]?.start : undefined}
              onRename={(name) => onEdits(renamed(edits, speaker.id, name))}
              onMerge={(into) => onEdits(merged(timeline, edits, speaker.id, into))}
              onSplit={() => onEdits(split(timeline, edits, speaker.id, place))}
            />
          ))}
        </ul>
      </section>
      <SegmentList
        segments={segments}
        speakers={speakers}
        place={place}
        onPlay={player.playPart}
        onAssign={(at, speaker) => onEdits(reassigned(edits, at, speaker ?? newSpeaker(timeline, edits)))}
      />
    </>
  );
}
