'use client';

import { useEffect, useMemo, useState } from 'react';
import type { Segment } from '../../../models/operations/diarize/segment.ts';
import { formatClock, formatCount } from '../../ui/quantities.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import type { BatchItem } from '../runs/batch.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { Lane } from '../sound/lane.tsx';
import type { SoundPlayer } from '../sound/sound-player.ts';
import { SoundTracks, type Track } from '../sound/sound-tracks.tsx';
import type { TimeView } from '../sound/time-view.ts';
import { useSound } from '../sound/transport.tsx';
import { getProgress, usePeaks } from '../sound/use-peaks.ts';
import { FactsRow } from '../stage/facts.tsx';
import stage from '../stage/stage.module.css';
import { LaterFailure, StagePicture } from '../stage/stage-picture.tsx';
import { Reading } from '../stage/waiting.tsx';
import { TOOLS } from '../tools/tools.ts';
import styles from './diarize.module.css';
import { useCurrentSegment } from './segment-list.tsx';
import {
  applyMoves,
  COLOUR_COUNT,
  getColour,
  getSpeakers,
  lastTurnEnd,
  readTimeline,
  type SpeakerEdits,
  segmentIndexAt,
  type Timeline,
} from './timeline.ts';

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

const { slug: SLUG } = TOOLS['audio-diarize'];

interface SpeakerStageProps extends ShownFile {
  readonly player: SoundPlayer;
  /** Findings, once read. */
  readonly timeline: Timeline | undefined;
  readonly edits: SpeakerEdits;
  readonly onTimeline: (file: Blob, timeline: Timeline) => void;
}

/** Shows the waveform of the selected recording, and below it a lane for each speaker. */
export function SpeakerStage({ item, renewal, player, timeline, edits, onTimeline }: SpeakerStageProps) {
  const { file, state } = item;
  const view = usePeaks(file);
  const { isBroken, durationSeconds } = useSound(player);
  const [failure, setFailure] = useState<string>();
  useEffect(() => player.open(file), [player, file]);
  const result = state.phase === 'done' ? state.result.files[0]?.blob : undefined;
  // The places of an earlier result mean other segments.
  useEffect(() => (result ? player.leavePart : undefined), [player, result]);
  useEffect(() => {
    if (!result) return;
    readTimeline(result).then(
      (found) => onTimeline(result, found),
      (error) => setFailure(describeFailure(error)),
    );
  }, [result, onTimeline]);
  const segments = useMemo(() => (timeline ? applyMoves(timeline, edits) : []), [timeline, edits]);
  const tracks = useMemo(() => getTracks(segments, edits, player), [segments, edits, player]);
  const unmeasured = view && 'failure' in view ? view.failure : undefined;
  const peaks = useMemo(() => {
    if (view && 'peaks' in view) return view.peaks;
    // The server may have found speakers in what this browser can't decode.
    const canShow = unmeasured !== undefined && segments.length > 0;
    const seconds = Math.max(durationSeconds, lastTurnEnd(segments));
    return canShow ? { levels: new Uint8Array(), durationSeconds: seconds } : null;
  }, [view, unmeasured, segments, durationSeconds]);
  const isSilent = timeline !== undefined && segments.length === 0;
  return (
    <div className={stage.stage}>
      <StagePicture item={item} slug={SLUG} renewal={renewal} className={styles.board}>
        {peaks ? (
          <SoundTracks key={file.name} player={player} peaks={peaks} tracks={tracks} />
        ) : (
          <Reading name={file.name} failure={unmeasured} progress={getProgress(view)} />
        )}
        {isSilent && <p className={styles.silent}>No speech was found in {file.name}.</p>}
      </StagePicture>
      {failure && (
        <p role="alert" className={stage.later}>
          {failure}
        </p>
      )}
      {unmeasured && peaks && <p className={stage.later}>There is no waveform. {unmeasured}</p>}
      {isBroken && state.phase !== 'failed' && (
        <p className={stage.later}>
          This browser can't play {file.name}.
          {state.phase === 'waiting' && ' Its speakers can still be found.'}
        </p>
      )}
      {!renewal && <LaterFailure item={item} />}
      <FactsRow item={item} extra={getFacts(item, segments, tracks.length)} saved={null} />
    </div>
  );
}

function getTracks(segments: readonly Segment[], edits: SpeakerEdits, player: SoundPlayer): readonly Track[] {
  return getSpeakers(segments, edits).map(({ id, name, segments: own }, at) => ({
    id,
    label: (
      <span className={styles.name} data-lane={getColour(at)}>
        <i className={styles.dot} aria-hidden />
        {name}
      </span>
    ),
    content: (view) => <SpeakerLane player={player} segments={segments} own={own} at={at} view={view} />,
    overview: (view) => <SpeakerTrace own={own} at={at} view={view} />,
    onPress(seconds) {
      const turn = own[segmentIndexAt(own, seconds)];
      if (turn && seconds <= turn.end) player.playPart(turn, segments.indexOf(turn));
      else player.seek(seconds);
    },
  }));
}

function getFacts({ state }: BatchItem, segments: readonly Segment[], speakers: number): readonly string[] {
  if (state.phase !== 'done') return [];
  const found = `${formatCount(speakers, 'speaker')} · ${formatCount(segments.length, 'segment')}`;
  return segments.length > 0 ? [found, `last word at ${formatClock(lastTurnEnd(segments))}`] : [];
}

/** Lane of a speaker's turns. The current one is outlined. */
function SpeakerLane({ player, segments, own, at, view }: SpeakerLaneProps) {
  const current = segments[useCurrentSegment(player, segments)];
  return (
    <div className={styles.lane} data-lane={getColour(at)}>
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
function SpeakerTrace({ own, at, view }: Pick<SpeakerLaneProps, 'own' | 'at' | 'view'>) {
  return (
    <div className={styles.trace} data-lane={getColour(at)}>
      <Lane stretches={own} current={undefined} view={view} isStriped={at >= COLOUR_COUNT} />
    </div>
  );
}
