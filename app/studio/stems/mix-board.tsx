'use client';

import { Repeat } from 'lucide-react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Peaks } from '../../../models/kernels/audio/peaks.ts';
import { STEM_RATE } from '../../../models/operations/stems/stems.ts';
import { useAbortOnUnmount } from '../../ui/hooks.ts';
import { formatClock } from '../../ui/quantities.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import type { NamedResult } from '../runs/result-names.ts';
import { saveResults } from '../runs/results.ts';
import type { MixPlayer } from '../sound/mix-player.ts';
import { SoundTracks, type Track } from '../sound/sound-tracks.tsx';
import type { TimeView } from '../sound/time-view.ts';
import { usePeaks } from '../sound/use-peaks.ts';
import { Waveform } from '../sound/waveform.tsx';
import { getGains, getSetting, type Mix, withPart, withSetting } from './mix.ts';
import { StemLabel } from './stem-label.tsx';
import styles from './stems.module.css';
import type { Stem } from './stems.ts';

const OCTAVE = 12;

/** From the highest to the lowest, as a list stands on the screen. */
const SEMITONES = Array.from({ length: 2 * OCTAVE + 1 }, (_, at) => OCTAVE - at);

interface StemWaveProps {
  readonly stem: Stem;
  readonly view: TimeView;
  /** Peaks of the whole, which set the scale: its own set it otherwise. */
  readonly whole: Peaks | undefined;
  readonly isHeard: boolean;
}

interface MixBoardProps {
  readonly player: MixPlayer;
  /** Peaks of the whole, or of one stem where the whole cannot be measured. */
  readonly peaks: Peaks;
  /** Whether all waveforms have the scale of the whole: each has its own otherwise. */
  readonly isScaled: boolean;
  readonly stems: readonly Stem[];
  readonly mix: Mix;
  readonly onMix: (change: (mix: Mix) => Mix) => void;
  /** Makes the file of one stem. */
  readonly getFile: (stem: Stem, signal: AbortSignal) => Promise<NamedResult>;
  readonly onFailure: (words: string | undefined) => void;
}

/** Waveforms of all stems with their places in the mix, and one transport for all. */
export function MixBoard(props: MixBoardProps) {
  const { player, peaks, isScaled, stems, mix, onMix, getFile, onFailure } = props;
  const { durationSeconds } = peaks;
  const gains = useMixPlayer(player, stems, mix, durationSeconds);
  const { isSaving, save } = useStemSaving(getFile, onFailure);
  const tracks = stems.map(
    (stem, at): Track => ({
      id: stem.id,
      label: (
        <StemLabel
          stem={stem}
          setting={getSetting(mix, stem.id)}
          isSaving={isSaving}
          onChange={(change) => onMix((before) => withSetting(before, stem.id, change))}
          onSave={() => void save(stem)}
        />
      ),
      content: (view) => (
        <StemWaveform
          stem={stem}
          view={view}
          whole={isScaled ? peaks : undefined}
          isHeard={gains[at] !== 0}
        />
      ),
    }),
  );
  return (
    <SoundTracks
      player={player}
      peaks={peaks}
      tracks={tracks}
      showsWhole={false}
      marked={mix.part}
      onMark={(part) => onMix((before) => withPart(before, part, durationSeconds))}
    >
      <LoopButton mix={mix} onMix={onMix} />
      <PitchChoice player={player} />
    </SoundTracks>
  );
}

/** Saves single stems to the browser's downloads, one at a time. */
function useStemSaving(getFile: MixBoardProps['getFile'], onFailure: MixBoardProps['onFailure']) {
  const [isSaving, setSaving] = useState(false);
  const work = useAbortOnUnmount();
  const save = async (stem: Stem) => {
    setSaving(true);
    onFailure(undefined);
    const signal = work.begin();
    try {
      const result = await getFile(stem, signal);
      if (!signal.aborted) await saveResults([result], '');
    } catch (error) {
      if (!signal.aborted) onFailure(describeFailure(error));
    } finally {
      if (!signal.aborted) setSaving(false);
    }
  };
  return { isSaving, save };
}

/** Turns the loop on and off, where one is set. */
function LoopButton({ mix: { part, isLooping }, onMix }: Pick<MixBoardProps, 'mix' | 'onMix'>) {
  if (!part) return null;
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-pressed={isLooping}
      aria-label={`Loop ${formatClock(part.start)} to ${formatClock(part.end)}`}
      onClick={() => onMix((before) => ({ ...before, isLooping: !before.isLooping }))}
    >
      <Repeat size={16} strokeWidth={1.5} aria-hidden />
      <span className={styles.range}>
        {formatClock(part.start)} to {formatClock(part.end)}
      </span>
    </button>
  );
}

/** Opens stems in a player, and keeps it as the mix is set. @returns the factor of each stem */
function useMixPlayer(
  player: MixPlayer,
  stems: readonly Stem[],
  mix: Mix,
  durationSeconds: number,
): readonly number[] {
  const names = useMemo(() => stems.map(({ id }) => id), [stems]);
  const gains = useMemo(() => getGains(mix, names), [mix, names]);
  useEffect(() => {
    const files = stems.map(({ blob }) => blob);
    return player.open(files, durationSeconds, STEM_RATE);
  }, [player, stems, durationSeconds]);
  useEffect(() => player.setGains(gains), [player, gains]);
  const loop = mix.isLooping ? mix.part : undefined;
  useEffect(() => player.setLoop(loop), [player, loop]);
  return gains;
}

/** Waveform of a stem in its colour, pale while it is not heard. */
function StemWaveform({ stem, view, whole, isHeard }: StemWaveProps) {
  const found = usePeaks(stem.blob);
  return (
    <div className={styles.wave} data-lane={stem.lane} data-heard={isHeard}>
      {found && 'peaks' in found && <Waveform peaks={found.peaks} view={view} scale={whole ?? found.peaks} />}
      {found && 'failure' in found && <p>{found.failure}</p>}
    </div>
  );
}

/** Changes the pitch of what is heard, in semitones. Files that are saved keep their own. */
function PitchChoice({ player }: { readonly player: MixPlayer }) {
  const { tuning, state } = player;
  const { semitones } = useSyncExternalStore(tuning.subscribe, tuning.get, tuning.get);
  const { isBroken } = useSyncExternalStore(state.subscribe, state.get, state.get);
  return (
    <select
      className={styles.pitch}
      aria-label="Pitch"
      title="Pitch of what is heard, in semitones"
      disabled={isBroken}
      value={semitones}
      onChange={(event) => player.setPitch(Number(event.currentTarget.value))}
    >
      {SEMITONES.map((each) => (
        <option key={each} value={each}>
          {describePitch(each)}
        </option>
      ))}
    </select>
  );
}

function describePitch(semitones: number): string {
  if (semitones === 0) return 'pitch';
  return `${semitones > 0 ? '+' : '−'}${Math.abs(semitones)} st`;
}
