'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import type { Peaks } from '../../../models/kernels/audio/peaks.ts';
import { describeSong } from '../../../models/operations/stems/song-facts.ts';
import { formatClock, formatCount } from '../../ui/quantities.ts';
import type { NamedResult } from '../runs/result-names.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import type { MixPlayer } from '../sound/mix-player.ts';
import type { SoundPlayer } from '../sound/sound-player.ts';
import { SoundTracks } from '../sound/sound-tracks.tsx';
import { useSound } from '../sound/transport.tsx';
import { getProgress, type PeaksView, usePeaks } from '../sound/use-peaks.ts';
import { FactsRow } from '../stage/facts.tsx';
import stage from '../stage/stage.module.css';
import { StagePicture } from '../stage/stage-picture.tsx';
import { ViewSwitch } from '../stage/view-switch.tsx';
import { Reading } from '../stage/waiting.tsx';
import { TOOLS } from '../tools/tools.ts';
import type { Mix } from './mix.ts';
import { MixBoard } from './mix-board.tsx';
import styles from './stems.module.css';
import { getSongFacts, getStems, type Stem } from './stems.ts';

/** Peaks that set length and scale of the stage. */
interface BoardPeaks {
  /** Undefined while they are being measured, or where there are none. */
  readonly peaks: Peaks | undefined;
  /** Whether they are those of the file itself. */
  readonly isOwn: boolean;
  /** Reason why the file has none. */
  readonly failure: string | undefined;
  /** Progress of measuring the file; undefined before the first report and after the last. */
  readonly progress: Progress | undefined;
}

const { slug: SLUG } = TOOLS['audio-separate-stems'];

type View = 'mix' | 'original';

interface StemsStageProps extends ShownFile {
  readonly player: MixPlayer;
  /** Plays the original. */
  readonly original: SoundPlayer;
  readonly mix: Mix;
  readonly onMix: (change: (mix: Mix) => Mix) => void;
  readonly getFile: (stem: Stem, signal: AbortSignal) => Promise<NamedResult>;
}

/** Shows the stems of the selected file, or its own waveform before there are any, and next to them. */
export function StemsStage(props: StemsStageProps) {
  const { item, renewal, player, original, mix, onMix, getFile } = props;
  const { file } = item;
  const stems = getStems(item);
  const [view, show] = useStemsView(player, original);
  const [failure, setFailure] = useState<string>();
  useEffect(() => original.open(file), [original, file]);
  const isMix = stems.length > 0 && view === 'mix';
  const { peaks, isOwn, failure: unmeasured, progress } = useBoardPeaks(file, stems, isMix);
  return (
    <div className={stage.stage}>
      {stems.length > 0 && (
        <ViewSwitch views={{ mix: 'Mix', original: 'Original' }} view={view} onView={show} />
      )}
      <StagePicture item={item} slug={SLUG} renewal={renewal} className={styles.board} data-mix={isMix}>
        {!peaks ? (
          <Reading name={file.name} failure={unmeasured} progress={progress} />
        ) : isMix ? (
          <MixBoard
            player={player}
            stems={stems}
            mix={mix}
            onMix={onMix}
            getFile={getFile}
            peaks={peaks}
            isScaled={isOwn}
            onFailure={setFailure}
          />
        ) : (
          <SoundTracks player={original} peaks={peaks} tracks={[]} />
        )}
        {isMix && <CountedBeat player={player} />}
      </StagePicture>
      <StemsNotes {...props} isMix={isMix} failure={failure} />
      <FactsRow
        item={item}
        saved={null}
        extra={[
          ...(peaks ? [formatClock(peaks.durationSeconds)] : []),
          ...(stems.length > 0 ? [formatCount(stems.length, 'stem')] : []),
          ...describeSong(getSongFacts(item)),
        ]}
      />
    </div>
  );
}

/** Returns the view, and the switch to another: only one of both is heard, from where the other was. */
function useStemsView(player: MixPlayer, original: SoundPlayer): [view: View, show: (view: View) => void] {
  const [view, setView] = useState<View>('mix');
  const show = (next: View) => {
    if (next === 'mix') {
      original.pause();
      player.seek(original.atSeconds.get());
    } else {
      player.pause();
      original.seek(player.atSeconds.get());
    }
    setView(next);
  };
  return [view, show];
}

interface StemsNotesProps extends StemsStageProps {
  readonly isMix: boolean;
  /** Why a stem was not saved. */
  readonly failure: string | undefined;
}

/** Says what cannot be played, and what failed. */
function StemsNotes({ item, renewal, player, original, isMix, failure }: StemsNotesProps) {
  const { file, state } = item;
  const way = useSyncExternalStore(player.way.subscribe, player.way.get, player.way.get);
  const { isBroken } = useSound(original);
  const isMixBroken = useSound(player).isBroken;
  const notes = [
    !isMix &&
      isBroken &&
      state.phase !== 'failed' &&
      `This browser can't play ${file.name}.${state.phase === 'waiting' ? ' It can still be split.' : ''}`,
    isMix && isMixBroken && "This browser can't play the stems. They can be downloaded.",
    isMix &&
      way === 'streamed' &&
      'The stems are too long for the memory of this tab. They are read from their files, in step to about 0.03 s.',
    failure,
    !renewal && state.phase === 'done' && state.rerunError,
  ].filter(Boolean);
  if (notes.length === 0) return null;
  return (
    <p role="status" className={stage.later}>
      {notes.join(' ')}
    </p>
  );
}

/** Shows the beat that is counted in, over the waveforms. Who hears the page hears the clicks. */
function CountedBeat({ player: { beat } }: { readonly player: MixPlayer }) {
  const counted = useSyncExternalStore(beat.subscribe, beat.get, beat.get);
  if (counted === 0) return null;
  return (
    <p className={styles.beat} data-beat={counted} aria-hidden>
      {counted}
    </p>
  );
}

/**
 * Measures the peaks of a file. Where this browser cannot decode it, the server may have split it: those of a stem,
 * which is as long, then stand in for the mix.
 */
function useBoardPeaks(file: Blob, stems: readonly Stem[], isMix: boolean): BoardPeaks {
  const own = usePeaks(file);
  const failure = own && 'failure' in own ? own.failure : undefined;
  const isOwn = failure === undefined || !isMix;
  const stem = usePeaks(isOwn ? undefined : stems[0]?.blob);
  const shown = isOwn ? own : stem;
  return { peaks: getPeaks(shown), isOwn, failure, progress: getProgress(shown) };
}

function getPeaks(view: PeaksView): Peaks | undefined {
  return view && 'peaks' in view ? view.peaks : undefined;
}
