'use client';

import { useCallback } from 'react';
import { columnLevels, type Peaks } from '../../../models/kernels/audio/peaks.ts';
import { type Drawing, SoundCanvas } from './sound-canvas.tsx';
import type { TimeView } from './time-view.ts';

/** Width of a bar, and of the gap after it, in pixels of the screen. */
const BAR = 2;
const FULL_SCALE = 255;

/** Draws the levels of a part of a recording. The loudest sample of all fills the height. */
export function Waveform({ peaks, view }: { readonly peaks: Peaks; readonly view: TimeView }) {
  const { fromSeconds, seconds } = view;
  const draw = useCallback(
    ({ context, width, height }: Drawing) => {
      const columns = Math.ceil(width / (2 * BAR));
      let loudest = 1;
      for (const level of peaks.levels) if (level > loudest) loudest = level;
      const levels = columnLevels(peaks, columns, fromSeconds, seconds);
      for (const [column, level] of levels.entries()) {
        const bar = Math.max(1, (level / Math.min(loudest, FULL_SCALE)) * height);
        context.fillRect(column * 2 * BAR, (height - bar) / 2, BAR, bar);
      }
    },
    [peaks, fromSeconds, seconds],
  );
  return <SoundCanvas draw={draw} />;
}
