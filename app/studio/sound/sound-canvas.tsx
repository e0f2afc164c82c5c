'use client';

import { useEffect, useRef } from 'react';
import styles from './sound.module.css';

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
