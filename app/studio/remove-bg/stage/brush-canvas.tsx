'use client';

import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Stroke } from '../../../../models/operations/remove-bg/strokes.ts';
import { type StageView, useStage } from '../../stage/stage-context.ts';
import { appendPoint, type Brush, drawBrush, moveByKey, type Point, radiusOn, resizeBrush } from './brush.ts';
import styles from './brush-canvas.module.css';

interface PaintingOptions {
  readonly stage: StageView;
  readonly brush: Brush;
  readonly onBrush: (brush: Brush) => void;
  readonly onStroke: (stroke: Stroke) => void;
}

const MIDDLE: Point = [0.5, 0.5];

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

/** Paints on the image of a stage, at any zoom, with a pointer or the keyboard. The element covers the well. */
function usePainting(options: PaintingOptions) {
  const { stage, brush, onStroke } = options;
  const painting = useStroke(stage, brush, onStroke);
  const { cursor, setCursor, stroke, putDown, lift, drop, moveTo } = painting;
  const keys = usePaintingKeys(options, painting);
  const getPlace = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): Point => {
    const { left, top } = currentTarget.getBoundingClientRect();
    const { box } = stage;
    return [(clientX - left - box.left) / box.width, (clientY - top - box.top) / box.height];
  };
  return {
    cursor,
    /** Stroke in progress. */
    stroke,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        // A second finger zooms.
        if (!event.isPrimary) return drop();
        if (event.button !== 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        putDown(getPlace(event));
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => moveTo(getPlace(event)),
      onPointerUp: lift,
      onPointerCancel: drop,
      onPointerLeave: () => !stroke && setCursor(null),
      /** Two quick dabs do not zoom. */
      onDoubleClick: (event: MouseEvent<HTMLElement>) => event.preventDefault(),
      onBlur: lift,
      ...keys,
    },
  };
}

/** Moves the brush, changes it, and puts it down and lifts it by keys. */
function usePaintingKeys({ stage, brush, onBrush }: PaintingOptions, painting: ReturnType<typeof useStroke>) {
  const { cursor, stroke, putDown, lift, drop, moveTo } = painting;
  const isSpaceDown = useRef(false);
  const moveByArrow = (at: Point) => {
    moveTo(at);
    stage.reveal({ x: at[0], y: at[1] });
  };
  const keys: Readonly<Record<string, () => void>> = {
    ' ': () => {
      isSpaceDown.current = true;
    },
    Escape: drop,
    k: () => onBrush({ ...brush, mode: 'keep' }),
    e: () => onBrush({ ...brush, mode: 'erase' }),
    '[': () => onBrush(resizeBrush(brush, -1)),
    ']': () => onBrush(resizeBrush(brush, 1)),
  };
  return {
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const at = moveByKey(event.key, cursor ?? MIDDLE, radiusOn(stage.box, brush), stage.image);
      const act = at ? () => moveByArrow(at) : keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    },
    /** On release: until then the space bar may be held to pan. */
    onKeyUp(event: KeyboardEvent<HTMLElement>) {
      if (event.key !== ' ' || !isSpaceDown.current) return;
      isSpaceDown.current = false;
      if (stroke) lift();
      else putDown(cursor ?? MIDDLE);
    },
  };
}

/** Stroke in progress and the brush's place, in shares of the image's sides. */
function useStroke(stage: StageView, brush: Brush, onStroke: (stroke: Stroke) => void) {
  const [cursor, setCursor] = useState<Point | null>(null);
  const [stroke, setStroke] = useState<Stroke | null>(null);
  return {
    cursor,
    setCursor,
    stroke,
    /** Begins a stroke, which keeps the radius that it begins with. */
    putDown(at: Point) {
      setCursor(at);
      setStroke({ mode: brush.mode, radius: radiusOn(stage.box, brush), points: [at] });
    },
    lift() {
      if (stroke) onStroke(stroke);
      setStroke(null);
    },
    drop: () => setStroke(null),
    moveTo(at: Point) {
      setCursor(at);
      if (!stroke) return;
      const points = appendPoint(stroke.points, at, stroke.radius, stage.image);
      if (points !== stroke.points) setStroke({ ...stroke, points });
    },
  };
}
