'use client';

import { useCallback } from 'react';
import { type Drawing, SoundCanvas } from './sound-canvas.tsx';
import type { Stretch } from './stretch.ts';
import type { TimeView } from './time-view.ts';

interface LaneProps {
  /** Sorted by start. The same array until they change. */
  readonly stretches: readonly Stretch[];
  readonly view: TimeView;
  /** Whether the colour repeats that of an earlier lane: stripes then tell them apart. */
  readonly isStriped: boolean;
}

const STRIPE = 4;

/** Draws stretches of time as blocks of one colour. */
export function Lane({ stretches, view, isStriped }: LaneProps) {
  const { fromSeconds, seconds } = view;
  const draw = useCallback(
    ({ context, width, height }: Drawing) => {
      const toX = (time: number) => ((time - fromSeconds) / seconds) * width;
      for (const { start, end } of stretches) {
        if (end < fromSeconds || start > fromSeconds + seconds) continue;
        const [left, right] = [Math.max(0, toX(start)), Math.min(width, toX(end))];
        const wide = Math.max(1, right - left);
        if (!isStriped) context.fillRect(left, 0, wide, height);
        for (let x = left; isStriped && x < left + wide; x += 2 * STRIPE) {
          context.fillRect(x, 0, Math.min(STRIPE, left + wide - x), height);
        }
      }
    },
    [stretches, fromSeconds, seconds, isStriped],
  );
  return <SoundCanvas draw={draw} />;
}
