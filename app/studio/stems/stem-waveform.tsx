'use client';

import type { Peaks } from '../../../models/kernels/audio/peaks.ts';
import type { TimeView } from '../sound/time-view.ts';
import { usePeaks } from '../sound/use-peaks.ts';
import { Waveform } from '../sound/waveform.tsx';
import styles from './stems.module.css';
import type { Stem } from './stems.ts';

interface StemWaveProps {
  readonly stem: Stem;
  readonly view: TimeView;
  /** Peaks of the whole, which set the scale: its own set it otherwise. */
  readonly whole: Peaks | undefined;
  readonly isHeard: boolean;
}

/** Waveform of a stem in its colour, pale while it is not heard. */
export function StemWaveform({ stem, view, whole, isHeard }: StemWaveProps) {
  const found = usePeaks(stem.blob);
  return (
    <div className={styles.wave} data-lane={stem.lane} data-heard={isHeard}>
      {found && 'peaks' in found && <Waveform peaks={found.peaks} view={view} scale={whole ?? found.peaks} />}
      {found && 'failure' in found && <p>{found.failure}</p>}
    </div>
  );
}
