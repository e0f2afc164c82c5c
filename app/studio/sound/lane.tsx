'use client';

import { useCallback } from 'react';
import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';
import type { TimeView } from './time-view.ts';
import { type Drawing, SoundCanvas } from './waveform.tsx';

interface LaneProps {
  /** Sorted by start. The same array until they change. */
  readonly stretches: readonly TimeSpan[];
  /** The one of them that is outlined. */
  readonly current: TimeSpan | undefined;
  readonly view: TimeView;
  /** Whether the colour repeats that of an earlier lane: stripes then distinguish them. */
  readonly isStriped: boolean;
}

/** Sizes in pixels of the style sheet. */
const STRIPE = 4;
const RADIUS = 4;
const OUTLINE = 2;

/** Draws stretches of time as blocks of one colour. */
export function Lane({ stretches, current, view, isStriped }: LaneProps) {
  const { fromSeconds, seconds } = view;
  const draw = useCallback(
    (drawing: Drawing) => {
      const toX = (time: number) => ((time - fromSeconds) / seconds) * drawing.width;
      for (const stretch of stretches) {
        const { start, end } = stretch;
        if (end < fromSeconds || start > fromSeconds + seconds) continue;
        drawBlock(drawing, toX(start), toX(end), { isStriped, isOutlined: stretch === current });
      }
    },
    [stretches, current, fromSeconds, seconds, isStriped],
  );
  return <SoundCanvas draw={draw} />;
}

interface BlockLook {
  readonly isStriped: boolean;
  readonly isOutlined: boolean;
}

/** Draws a block from left to right; one that is out of the canvas in part loses its corners there. */
function drawBlock(
  drawing: Drawing,
  left: number,
  right: number,
  { isStriped, isOutlined }: BlockLook,
): void {
  const { context, height, ink, scale } = drawing;
  const wide = Math.max(scale, right - left);
  const inset = (OUTLINE / 2) * scale;
  context.save();
  context.beginPath();
  context.roundRect(left, inset, wide, height - 2 * inset, Math.min(RADIUS * scale, wide / 2));
  if (isOutlined) {
    context.strokeStyle = ink;
    context.lineWidth = OUTLINE * scale;
    context.stroke();
  }
  context.clip();
  const [from, until] = [Math.max(0, left), Math.min(drawing.width, left + wide)];
  const step = isStriped ? STRIPE * scale : until - from;
  for (let x = from; x < until; x += isStriped ? 2 * step : step) context.fillRect(x, 0, step, height);
  context.restore();
}
