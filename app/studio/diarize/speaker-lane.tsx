'use client';

import { Lane } from '../sound/lane.tsx';
import type { SoundPlayer } from '../sound/sound-player.ts';
import type { TimeView } from '../sound/time-view.ts';
import { COLOUR_COUNT, colourOf } from './colours.ts';
import styles from './diarize.module.css';
import type { Segment } from './timeline.ts';
import { useCurrentSegment } from './use-current-segment.ts';

interface SpeakerLaneProps {
  readonly player: SoundPlayer;
  /** Segments of all speakers. */
  readonly segments: readonly Segment[];
  /** Segments of this speaker, from among those of all. */
  readonly own: readonly Segment[];
  /** Place of the speaker among the others, by first turns. */
  readonly at: number;
  readonly view: TimeView;
}

/** Lane of a speaker's turns. The current one is outlined. */
export function SpeakerLane({ player, segments, own, at, view }: SpeakerLaneProps) {
  const current = segments[useCurrentSegment(player, segments)];
  return (
    <div className={styles.lane} data-lane={colourOf(at)}>
      <Lane
        stretches={own}
        current={current?.speaker === own[0]?.speaker ? current : undefined}
        view={view}
        isStriped={at >= COLOUR_COUNT}
      />
    </div>
  );
}

/** Turns of a speaker as a thin line of their colour, below the waveform of the whole. */
export function SpeakerTrace({ own, at, view }: Pick<SpeakerLaneProps, 'own' | 'at' | 'view'>) {
  return (
    <div className={styles.trace} data-lane={colourOf(at)}>
      <Lane stretches={own} current={undefined} view={view} isStriped={at >= COLOUR_COUNT} />
    </div>
  );
}
