'use client';

import { useEffect } from 'react';
import { formatClock, formatCount } from '../../ui/quantities.ts';
import { useSessionState } from '../session/use-session-state.ts';
import type { MixPlayer } from '../sound/mix-player.ts';
import type { TimeRange } from '../sound/time-range.ts';
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
  readonly part: TimeRange;
  readonly onTimes: (start: number, end: number) => void;
}

function PartTimes({ part: { start, end }, onTimes }: PartTimesProps) {
  return (
    <div className={styles.times}>
      <Time
        label="From, in seconds"
        value={start}
        onChange={(from) => onTimes(from, Math.max(end, from + LOOP_MIN))}
      />
      <Time label="To, in seconds" value={end} onChange={(to) => onTimes(start, to)} />
    </div>
  );
}

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

interface TimeProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (seconds: number) => void;
}

function Time({ label, value, onChange }: TimeProps) {
  const read = (input: HTMLInputElement) => {
    const seconds = input.valueAsNumber;
    if (Number.isFinite(seconds) && seconds !== Number(value.toFixed(3))) onChange(seconds);
    else input.value = value.toFixed(3);
  };
  return (
    <label>
      <span>{label}</span>
      <input
        // Read when it is left: what is half typed may be out of bounds.
        key={value}
        type="number"
        min={0}
        step="any"
        defaultValue={value.toFixed(3)}
        onBlur={({ currentTarget }) => read(currentTarget)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') read(currentTarget);
        }}
      />
    </label>
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
