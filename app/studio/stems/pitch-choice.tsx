'use client';

import { useSyncExternalStore } from 'react';
import type { MixPlayer } from '../sound/mix-player.ts';
import styles from './stems.module.css';

const OCTAVE = 12;
/** From the highest to the lowest, as a list stands on the screen. */
const SEMITONES = Array.from({ length: 2 * OCTAVE + 1 }, (_, at) => OCTAVE - at);

/** Changes the pitch of what is heard, in semitones. Files that are saved keep their own. */
export function PitchChoice({ player }: { readonly player: MixPlayer }) {
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
