'use client';

import { Download } from 'lucide-react';
import { formatDecibels, GAIN_MAX, GAIN_MIN, type StemSetting } from './mix.ts';
import styles from './stems.module.css';
import type { Stem } from './stems.ts';

interface StemLabelProps {
  readonly stem: Stem;
  readonly setting: StemSetting;
  readonly isSaving: boolean;
  readonly onChange: (change: Partial<StemSetting>) => void;
  readonly onSave: () => void;
}

/** Name of a stem with its place in the mix: alone, silent, and how loud. */
export function StemLabel({ stem, setting, isSaving, onChange, onSave }: StemLabelProps) {
  const { name, lane } = stem;
  const { gainDb, isMuted, isSolo } = setting;
  return (
    <span className={styles.label} data-lane={lane}>
      <span className={styles.name}>
        <i className={styles.dot} aria-hidden />
        {name}
      </span>
      <button
        type="button"
        aria-label={`Solo ${name}`}
        title={`Solo ${name}`}
        aria-pressed={isSolo}
        onClick={() => onChange({ isSolo: !isSolo })}
      >
        S
      </button>
      <button
        type="button"
        aria-label={`Mute ${name}`}
        title={`Mute ${name}`}
        aria-pressed={isMuted}
        onClick={() => onChange({ isMuted: !isMuted })}
      >
        M
      </button>
      <button
        type="button"
        aria-label={`Download ${name}`}
        title={`Download ${name}`}
        disabled={isSaving}
        onClick={onSave}
      >
        <Download size={16} strokeWidth={1.5} aria-hidden />
      </button>
      <Gain name={name} gainDb={gainDb} onGain={(next) => onChange({ gainDb: next })} />
    </span>
  );
}

interface GainProps {
  /** Name of the stem. */
  readonly name: string;
  readonly gainDb: number;
  readonly onGain: (gainDb: number) => void;
}

function Gain({ name, gainDb, onGain }: GainProps) {
  return (
    <>
      <input
        type="range"
        min={GAIN_MIN}
        max={GAIN_MAX}
        step={0.5}
        value={gainDb}
        aria-label={`Gain of ${name}`}
        aria-valuetext={formatDecibels(gainDb)}
        onChange={({ currentTarget }) => onGain(currentTarget.valueAsNumber)}
        onDoubleClick={() => onGain(0)}
      />
      <span className={`${styles.gain} facts`} aria-hidden>
        {formatDecibels(gainDb)}
      </span>
    </>
  );
}
