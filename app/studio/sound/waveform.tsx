'use client';

import { useCallback, useEffect, useMemo, useRef } from 'react';
import { columnLevels, type Peaks } from '../../../models/kernels/audio/peaks.ts';
import styles from './sound.module.css';
import type { TimeView } from './time-view.ts';

/** Canvas whose fill is the colour of its text in the current theme. Sizes are in pixels of the screen. */
export interface Drawing {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  /** Colour of outlines. */
  readonly ink: string;
  /** Pixels of the screen in one of the style sheet. */
  readonly scale: number;
}

interface SoundCanvasProps {
  /** Draws what is in view, in the colour that is set. The same function until the drawing changes. */
  readonly draw: (drawing: Drawing) => void;
}

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

/**
 * Canvas as large as its place, drawn again with each change of its size, of the theme and of `draw`. Waveforms and
 * lanes draw what is in view.
 */
export function SoundCanvas({ draw }: SoundCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const target = canvas.current;
    if (!target) return;
    const paint = () => {
      const { width, height } = target.getBoundingClientRect();
      const context = target.getContext('2d');
      if (!context || width === 0) return;
      target.width = Math.round(width * devicePixelRatio);
      target.height = Math.round(height * devicePixelRatio);
      const { color, outlineColor } = getComputedStyle(target);
      context.fillStyle = color;
      const { width: wide, height: high } = target;
      draw({ context, width: wide, height: high, ink: outlineColor, scale: devicePixelRatio });
    };
    const size = new ResizeObserver(paint);
    size.observe(target);
    const theme = new MutationObserver(paint);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', paint);
    return () => {
      size.disconnect();
      theme.disconnect();
      system.removeEventListener('change', paint);
    };
  }, [draw]);
  return <canvas ref={canvas} className={styles.canvas} aria-hidden />;
}
