'use client';

import { useEffect, useRef } from 'react';
import type { Stroke } from '../../../../models/operations/remove-bg/strokes.ts';
import { type StageView, useStage } from '../../stage/view/stage-context.ts';
import { type Brush, drawBrush } from './brush.ts';
import styles from './brush-canvas.module.css';
import { usePainting } from './use-painting.ts';

interface BrushCanvasProps {
  readonly brush: Brush;
  /** Strokes that the preview does not show yet. */
  readonly pending: readonly Stroke[];
  readonly onBrush: (brush: Brush) => void;
  readonly onStroke: (stroke: Stroke) => void;
}

/** Layer over the well on which a pointer or the keyboard paints. */
export function BrushCanvas(props: BrushCanvasProps) {
  const stage = useStage();
  return stage && <MeasuredBrushCanvas stage={stage} {...props} />;
}

function MeasuredBrushCanvas({
  stage,
  brush,
  pending,
  onBrush,
  onStroke,
}: BrushCanvasProps & { readonly stage: StageView }) {
  const sheet = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { cursor, stroke, handlers } = usePainting({ stage, brush, onBrush, onStroke });
  const { box, well } = stage;

  useEffect(() => {
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (!target || !context) return;
    const [width, height] = [well.width, well.height].map((side) => Math.round(side * devicePixelRatio));
    // Setting a size clears the canvas, and allocates memory again.
    if (target.width !== width) target.width = width;
    if (target.height !== height) target.height = height;
    drawBrush(context, stroke ? [...pending, stroke] : pending, box, cursor && { brush, at: cursor });
  }, [brush, pending, stroke, cursor, box, well]);

  // The button that opened the brush may be gone: keyboard users continue from here.
  useEffect(() => {
    if (document.activeElement === document.body) sheet.current?.focus({ preventScroll: true });
  }, []);

  return (
    <>
      <div
        ref={sheet}
        className={styles.sheet}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is painted on by keys
        tabIndex={0}
        aria-label="Brush"
        aria-roledescription="painting area"
        aria-describedby="brush-keys"
        {...handlers}
      >
        <canvas ref={canvas} />
      </div>
      <p id="brush-keys" className="sr-only">
        Arrow keys move the brush. Space starts and ends a stroke. K keeps, E erases, square brackets change
        the size, Escape cancels a stroke. Control and Z undoes a stroke, with Shift it is painted again.
      </p>
      <p role="status" className="sr-only">
        {stroke && `Painting what to ${stroke.mode}`}
      </p>
    </>
  );
}
