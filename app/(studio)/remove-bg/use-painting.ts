'use client';

import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Stroke } from '../../../models/remove-bg/strokes.ts';
import { appendPoint, type Brush, moveByKey, type Point, resizeBrush } from './brush.ts';

interface PaintingOptions {
  readonly brush: Brush;
  readonly onBrush: (brush: Brush) => void;
  readonly onStroke: (stroke: Stroke) => void;
}

const MIDDLE: Point = [0.5, 0.5];

/** Paints on an element with a pointer or the keyboard. */
export function usePainting({ brush, onBrush, onStroke }: PaintingOptions) {
  const [cursor, setCursor] = useState<Point | null>(null);
  const [points, setPoints] = useState<readonly Point[]>([]);
  const isDown = points.length > 0;

  const putDown = (at: Point) => {
    setCursor(at);
    setPoints([at]);
  };
  const lift = () => {
    if (isDown) onStroke({ ...brush, points });
    setPoints([]);
  };
  const moveTo = (at: Point, size: DOMRect) => {
    setCursor(at);
    if (isDown) setPoints(appendPoint(points, at, brush.radius, size));
  };
  const keys: Readonly<Record<string, () => void>> = {
    ' ': () => (isDown ? lift() : putDown(cursor ?? MIDDLE)),
    Escape: () => setPoints([]),
    k: () => onBrush({ ...brush, mode: 'keep' }),
    e: () => onBrush({ ...brush, mode: 'erase' }),
    '[': () => onBrush(resizeBrush(brush, -1)),
    ']': () => onBrush(resizeBrush(brush, 1)),
  };

  return {
    cursor,
    /** Stroke in progress. */
    stroke: isDown ? { ...brush, points } : null,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        putDown(placeOf(event));
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) =>
        moveTo(placeOf(event), event.currentTarget.getBoundingClientRect()),
      onPointerUp: lift,
      onPointerCancel: () => setPoints([]),
      onPointerLeave: () => !isDown && setCursor(null),
      onBlur: lift,
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const size = event.currentTarget.getBoundingClientRect();
        const moved = moveByKey(event.key, cursor ?? MIDDLE, brush.radius, size);
        const act = moved ? () => moveTo(moved, size) : keys[event.key];
        if (!act) return;
        event.preventDefault();
        act();
      },
    },
  };
}

/** Returns a pointer's position as shares of the element's width and height. */
function placeOf({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return [(clientX - left) / width, (clientY - top) / height];
}
