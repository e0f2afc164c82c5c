'use client';

import { useCallback, useMemo } from 'react';
import { columnLevels, type Peaks } from '../../../models/kernels/audio/peaks.ts';
import { type Drawing, SoundCanvas } from './sound-canvas.tsx';
import type { TimeView } from './time-view.ts';

/** Width of a bar, and of the gap after it, in pixels of the screen. */
const BAR = 2;
const FULL_SCALE = 255;

interface WaveformProps {
  readonly peaks: Peaks;
  readonly view: TimeView;
  /** Sound whose loudest sample fills the height: its own by default. Parts of one sound then show their true sizes. */
  readonly scale?: Peaks;
}

/** Draws the levels of a part of a recording. */
export function Waveform({ peaks, view, scale = peaks }: WaveformProps) {
  const { fromSeconds, seconds } = view;
  const loudest = useMemo(() => getLoudest(scale), [scale]);
  const draw = useCallback(
    ({ context, width, height }: Drawing) => {
      const columns = Math.ceil(width / (2 * BAR));
      const levels = columnLevels(peaks, columns, fromSeconds, seconds);
      for (const [column, level] of levels.entries()) {
        const bar = Math.max(1, Math.min(1, level / Math.min(loudest, FULL_SCALE)) * height);
        context.fillRect(column * 2 * BAR, (height - bar) / 2, BAR, bar);
      }
    },
    [peaks, loudest, fromSeconds, seconds],
  );
  return <SoundCanvas draw={draw} />;
}

function getLoudest({ levels }: Peaks): number {
  let loudest = 1;
  for (const level of levels) if (level > loudest) loudest = level;
  return loudest;
}
