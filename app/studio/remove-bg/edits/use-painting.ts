'use client';

import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import type { Stroke } from '../../../../models/operations/remove-bg/strokes.ts';
import type { StageView } from '../../stage/view/stage-context.ts';
import { appendPoint, type Brush, moveByKey, type Point, radiusOn, resizeBrush } from './brush.ts';

interface PaintingOptions {
  readonly stage: StageView;
  readonly brush: Brush;
  readonly onBrush: (brush: Brush) => void;
  readonly onStroke: (stroke: Stroke) => void;
}

const MIDDLE: Point = [0.5, 0.5];

/** Paints on the image of a stage, at any zoom, with a pointer or the keyboard. The element covers the well. */
export function usePainting(options: PaintingOptions) {
  const { stage, brush, onStroke } = options;
  const painting = useStroke(stage, brush, onStroke);
  const { cursor, setCursor, stroke, putDown, lift, drop, moveTo } = painting;
  const keys = usePaintingKeys(options, painting);
  const placeOf = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): Point => {
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
        putDown(placeOf(event));
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => moveTo(placeOf(event)),
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
