'use client';

import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import type { StageView } from './stage-context.ts';
import { ARROWS, type Point } from './stage-geometry.ts';

/** Pixels of a wheel's line, in browsers that count lines. */
const LINE = 16;
/** Zoom per pixel of the wheel; a trackpad's pinch reports far fewer pixels. */
const WHEEL_ZOOM = 0.002;
const TRACKPAD_ZOOM = 0.01;
/** Share of the well by which an arrow key pans. */
const KEY_PAN = 0.1;

/**
 * Zooms and pans by wheel, pointer, two fingers and keys. Content of the stage keeps a pointer for itself by ending
 * the propagation of `pointerdown`; a second finger and the space bar take it back.
 */
export function useStageGestures(well: RefObject<HTMLElement | null>, stage: StageView | null) {
  const space = useSpaceBar(well);
  const { isPanning, handlers } = usePointers(stage, space);
  useWheel(well, stage);
  useShortcuts('Image', [
    { keys: ['+', '='], does: 'Zoom in', run: () => stage?.step(1) },
    { keys: ['-'], does: 'Zoom out', run: () => stage?.step(-1) },
    { keys: ['0'], does: 'Show the whole image', run: () => stage?.fit() },
    { keys: ['1'], does: 'Zoom to 100 %', run: () => stage?.showActual() },
    { keys: Object.keys(ARROWS), does: 'Move a zoomed image' },
    { keys: [' '], does: 'Hold and drag to move a zoomed image' },
  ]);
  return {
    isPanning,
    isSpaceDown: space.isDown,
    handlers: {
      ...handlers,
      onDoubleClick(event: MouseEvent<HTMLElement>) {
        if (isControl(event.target) || event.defaultPrevented) return;
        if (stage?.isFit) stage.showActual(getPoint(event));
        else stage?.fit();
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const arrow = event.target === event.currentTarget ? ARROWS[event.key] : undefined;
        if (!stage || !arrow) return;
        event.preventDefault();
        stage.panBy({ x: -arrow.x * stage.well.width * KEY_PAN, y: -arrow.y * stage.well.height * KEY_PAN });
      },
    },
  };
}

/** Pans by one pointer, and pinches by two. */
function usePointers(stage: StageView | null, space: SpaceBar) {
  const pointers = useRef(new Map<number, Point>());
  const [isPanning, setIsPanning] = useState(false);
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setIsPanning(true);
  };
  const end = ({ pointerId }: PointerEvent<HTMLElement>) => {
    pointers.current.delete(pointerId);
    if (pointers.current.size === 0) setIsPanning(false);
  };
  const handlers = {
    onPointerDownCapture(event: PointerEvent<HTMLElement>) {
      if (isControl(event.target)) return;
      pointers.current.set(event.pointerId, getPoint(event));
      if (!space.isDown && event.button !== 1) return;
      event.stopPropagation();
      event.preventDefault();
      space.use();
      begin(event);
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button === 0 && stage?.canPan && pointers.current.size === 1) begin(event);
    },
    onPointerMoveCapture(event: PointerEvent<HTMLElement>) {
      const from = pointers.current.get(event.pointerId);
      if (!from || !stage) return;
      const to = getPoint(event);
      pointers.current.set(event.pointerId, to);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      if (other) stage.pinch([from, other], [to, other]);
      else if (isPanning) stage.panBy({ x: to.x - from.x, y: to.y - from.y });
    },
    onPointerUpCapture: end,
    onPointerCancelCapture: end,
  };
  return { isPanning, handlers };
}

/** Zooms by the wheel and by a trackpad's pinch, towards the pointer. */
function useWheel(well: RefObject<HTMLElement | null>, stage: StageView | null): void {
  useEffect(() => {
    const element = well.current;
    if (!element || !stage) return;
    const zoom = (event: WheelEvent) => {
      const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE);
      // The page scrolls by a wheel that has nothing left to zoom.
      if (pixels > 0 && stage.isFit && !event.ctrlKey) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const at = { x: event.clientX - left, y: event.clientY - top };
      stage.zoomBy(Math.exp(-pixels * (event.ctrlKey ? TRACKPAD_ZOOM : WHEEL_ZOOM)), at);
    };
    // React listens passively, which could not keep the page from scrolling.
    element.addEventListener('wheel', zoom, { passive: false });
    return () => element.removeEventListener('wheel', zoom);
  }, [well, stage]);
}

interface SpaceBar {
  readonly isDown: boolean;
  /** Notes that a drag has used it. */
  use(): void;
}

/** Watches the space bar over a well or with the focus in it. After a drag its release means nothing else. */
function useSpaceBar(well: RefObject<HTMLElement | null>): SpaceBar {
  const [isDown, setIsDown] = useState(false);
  const isUsed = useRef(false);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const element = well.current;
      const isHere = element?.matches(':hover') || element?.contains(document.activeElement);
      if (event.code !== 'Space' || !isHere || takesSpace(event.target)) return;
      event.preventDefault();
      if (!event.repeat) isUsed.current = false;
      setIsDown(true);
    };
    const release = (event: globalThis.KeyboardEvent) => {
      if (event.code !== 'Space') return;
      if (isUsed.current) event.stopPropagation();
      setIsDown(false);
    };
    const leave = () => setIsDown(false);
    addEventListener('keydown', press);
    addEventListener('keyup', release, { capture: true });
    addEventListener('blur', leave);
    return () => {
      removeEventListener('keydown', press);
      removeEventListener('keyup', release, { capture: true });
      removeEventListener('blur', leave);
    };
  }, [well]);
  return {
    isDown,
    use() {
      isUsed.current = true;
    },
  };
}

function takesSpace(target: EventTarget | null): boolean {
  const controls = 'a, button, select, summary, textarea, input:not([type=radio], [type=range])';
  return target instanceof Element && target.closest(controls) !== null;
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button') !== null;
}

/** Returns where an event happened, in CSS pixels from the corner of the element that handles it. */
export function getPoint({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): Point {
  const { left, top } = currentTarget.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}
