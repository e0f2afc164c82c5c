'use client';

import { useEffect } from 'react';
import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';
import { formatClock, formatCount } from '../../ui/quantities.ts';
import { LabelledNumber } from '../form/number-field.tsx';
import form from '../form/params-form.module.css';
import { useSessionState } from '../session/use-session-state.ts';
import type { MixPlayer } from '../sound/mix-player.ts';
import { LOOP_MIN, type Mix, withPart } from './mix.ts';
import styles from './stems.module.css';
import { BEATS, barSeconds } from './stems.ts';

interface CountInChoiceProps {
  readonly player: MixPlayer;
  /** In beats a minute. */
  readonly tempoBpm: number;
}

interface PartSettingsProps {
  readonly mix: Mix;
  readonly player: MixPlayer;
  /** In beats a minute; null where the song has no beat. */
  readonly tempoBpm: number | null;
  readonly onMix: (change: (mix: Mix) => Mix) => void;
}

/** Chooses the part that repeats: by its times, or from where the mix plays. */
export function PartSettings({ mix, player, tempoBpm, onMix }: PartSettingsProps) {
  const { part } = mix;
  const getDuration = () => player.state.get().durationSeconds;
  const choose = (start: number, end: number) =>
    onMix((before) => withPart(before, { start, end }, getDuration()));
  const startHere = () => {
    const at = player.atSeconds.get();
    choose(at, part && part.end > at ? part.end : getDuration());
  };
  const endHere = () => {
    const at = player.atSeconds.get();
    choose(part && part.start < at ? part.start : 0, at);
  };
  const chooseBars = (bars: number, tempo: number) => {
    const from = part?.start ?? player.atSeconds.get();
    choose(from, from + barSeconds(tempo, bars));
  };
  return (
    <section className={styles.section} aria-labelledby="loop">
      <h2 id="loop">Loop</h2>
      <p className={part ? 'facts' : styles.hint} role="status">
        {part ? `${formatClock(part.start)} to ${formatClock(part.end)}` : 'Drag over a waveform.'}
      </p>
      <div className={styles.buttons}>
        <button type="button" className="button" onClick={startHere}>
          Start here
        </button>
        <button type="button" className="button" onClick={endHere}>
          End here
        </button>
      </div>
      {tempoBpm !== null && <Bars onBars={(bars) => chooseBars(bars, tempoBpm)} />}
      {part && (
        <>
          <PartTimes part={part} onTimes={choose} />
          <LoopButtons isLooping={mix.isLooping} onMix={onMix} />
        </>
      )}
      {tempoBpm !== null && <CountInChoice player={player} tempoBpm={tempoBpm} />}
    </section>
  );
}

/** Repeats some bars of four beats, from the start of the loop or from where the mix is. */
function Bars({ onBars }: { readonly onBars: (bars: number) => void }) {
  return (
    <fieldset className={styles.bars}>
      <legend>Bars</legend>
      {BARS.map((bars) => (
        <button
          key={bars}
          type="button"
          className="button"
          aria-label={`Loop ${formatCount(bars, 'bar')}`}
          onClick={() => onBars(bars)}
        >
          {bars}
        </button>
      ))}
    </fieldset>
  );
}

const BARS = [1, 2, 4, 8];

interface PartTimesProps {
  readonly part: TimeSpan;
  readonly onTimes: (start: number, end: number) => void;
}

function PartTimes({ part: { start, end }, onTimes }: PartTimesProps) {
  return (
    <div className={form.numbers}>
      <LabelledNumber
        label="From, in seconds"
        bounds={SECONDS}
        value={toMilliseconds(start)}
        onChange={(from) => from !== undefined && onTimes(from, Math.max(end, from + LOOP_MIN))}
      />
      <LabelledNumber
        label="To, in seconds"
        bounds={SECONDS}
        value={toMilliseconds(end)}
        onChange={(to) => to !== undefined && onTimes(start, to)}
      />
    </div>
  );
}

const SECONDS = { min: 0 };

/** Rounds seconds to what a person reads. */
const toMilliseconds = (seconds: number): number => Number(seconds.toFixed(3));

function LoopButtons({ isLooping, onMix }: Pick<Mix, 'isLooping'> & Pick<PartSettingsProps, 'onMix'>) {
  return (
    <div className={styles.buttons}>
      <button
        type="button"
        className="button"
        aria-pressed={isLooping}
        onClick={() => onMix((before) => ({ ...before, isLooping: !before.isLooping }))}
      >
        {isLooping ? 'Stop repeating' : 'Repeat'}
      </button>
      <button
        type="button"
        className="button"
        onClick={() => onMix((before) => ({ ...before, part: undefined, isLooping: false }))}
      >
        Remove loop
      </button>
    </div>
  );
}

/** Chooses whether a bar is counted before the mix plays. */
function CountInChoice({ player, tempoBpm }: CountInChoiceProps) {
  const [isCounted, setCounted] = useSessionState('audio-separate-stems/count-in', false);
  useEffect(() => {
    if (!isCounted) return;
    player.setCountIn({ beats: BEATS, beatSeconds: barSeconds(tempoBpm, 1) / BEATS });
    return () => player.setCountIn(undefined);
  }, [player, tempoBpm, isCounted]);
  return (
    <>
      <label className={styles.switch}>
        Count-in
        <input
          type="checkbox"
          checked={isCounted}
          aria-describedby="count-in-means"
          onChange={(event) => setCounted(event.currentTarget.checked)}
        />
      </label>
      <p id="count-in-means" className={styles.hint}>
        One bar of clicks first.
      </p>
    </>
  );
}
