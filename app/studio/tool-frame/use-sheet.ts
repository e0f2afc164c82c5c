'use client';

import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { adjacentStop, nearestStop, type SheetStop, stopHeightPx } from './sheet-stops.ts';

/** Movement in pixels up to which a press of the handle is a click. */
const CLICK_PX = 4;

/**
 * Moves the sheet of a phone between its stops: by dragging its handle, by a click and by the arrow keys.
 * @param initial stop until the visitor moves the sheet
 */
export function useSheet(initial: SheetStop) {
  const [chosen, setChosen] = useState<SheetStop>();
  const [heightPx, setHeightPx] = useState<number | null>(null);
  const grip = useRef<{ readonly fromY: number; readonly fromHeightPx: number } | null>(null);
  // The click that ends a drag is none.
  const isDragged = useRef(false);
  const stop = chosen ?? initial;
  const end = () => {
    if (heightPx !== null) setChosen(nearestStop(heightPx, innerHeight));
    setHeightPx(null);
    grip.current = null;
  };
  return {
    stop,
    /** Height in pixels while the handle is dragged. */
    heightPx,
    handle: {
      onPointerDown({ currentTarget, pointerId, clientY }: PointerEvent<HTMLElement>) {
        currentTarget.setPointerCapture(pointerId);
        isDragged.current = false;
        // Measured: a stage that needs more room lowers the middle stop.
        const fromHeightPx = currentTarget.parentElement?.offsetHeight ?? stopHeightPx(stop, innerHeight);
        grip.current = { fromY: clientY, fromHeightPx };
      },
      onPointerMove({ clientY }: PointerEvent<HTMLElement>) {
        if (!grip.current) return;
        const { fromY, fromHeightPx } = grip.current;
        isDragged.current ||= Math.abs(fromY - clientY) > CLICK_PX;
        if (isDragged.current) setHeightPx(withinStops(fromHeightPx + fromY - clientY));
      },
      onPointerUp: end,
      onPointerCancel: end,
      onClick() {
        if (!isDragged.current) setChosen(stop === 'full' ? 'half' : adjacentStop(stop, 1));
        isDragged.current = false;
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!steps) return;
        event.preventDefault();
        setChosen(adjacentStop(stop, steps));
      },
    },
  };
}

function withinStops(heightPx: number): number {
  const [lowest, highest] = [stopHeightPx('low', innerHeight), stopHeightPx('full', innerHeight)];
  return Math.min(Math.max(heightPx, lowest), highest);
}
