'use client';

import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { ImageSize } from '../../../../models/core/runtime/raster.ts';
import type { BackdropPosition } from '../../../../models/operations/remove-bg/backdrop.ts';
import type { Layout, Position } from '../../../../models/operations/remove-bg/lay-out-subject.ts';
import type { StageView } from '../../stage/stage-context.ts';
import type { Point } from '../../stage/stage-geometry.ts';
import { getPoint } from '../../stage/use-stage-gestures.ts';
import { draggedBackground } from '../move-background.ts';
import { dragged, type Grip, movedByKey } from './move-subject.ts';

/** Background image that is moved by hand. */
export interface MovableBackground {
  /** Size of the image in pixels. */
  readonly image: ImageSize;
  readonly position: BackdropPosition;
  readonly onPosition: (position: BackdropPosition, gesture: string) => void;
}

interface Placing {
  readonly stage: StageView;
  readonly layout: Layout;
  readonly position: Position;
  readonly onPosition: (position: Position, gesture: string) => void;
  /** Undefined where the background cannot be moved: then a drag next to the subject moves the subject. */
  readonly background: MovableBackground | undefined;
}

/** Called with each point of a drag, and with what the latest rendering has. */
type Drag = (to: Point, latest: Pick<Placing, 'onPosition' | 'background'>) => void;

/** Moves, scales and turns the subject by pointer and keys, and moves the background around it by pointer. */
export function usePlacing({ stage, layout, position, onPosition, background }: Placing) {
  const held = useRef<Drag>(null);
  const centre: Point = {
    x: stage.box.left + layout.centre.x * stage.scale,
    y: stage.box.top + layout.centre.y * stage.scale,
  };
  const beginDrag = (event: PointerEvent<HTMLElement>): Drag => {
    const from = getPoint(event);
    const { box } = stage;
    if (background && isBesideFrame(event.target)) {
      const { image, position: at } = background;
      const gesture = `background ${event.timeStamp}`;
      return (to, latest) =>
        latest.background?.onPosition(draggedBackground({ at, from, to, image, box }), gesture);
    }
    const grip = getGrip(event.target);
    const gesture = `${grip} ${event.timeStamp}`;
    return (to, latest) => latest.onPosition(dragged(grip, { at: position, from, to, centre, box }), gesture);
  };
  return {
    centre,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0 || !event.isPrimary) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        held.current = beginDrag(event);
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) =>
        held.current?.(getPoint(event), { onPosition, background }),
      onPointerUp: () => {
        held.current = null;
      },
      onPointerCancel: () => {
        held.current = null;
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const moved = movedByKey(event.key, event.shiftKey, position);
        if (!moved) return;
        event.preventDefault();
        event.stopPropagation();
        onPosition(moved, 'keys');
      },
    },
  };
}

function isBesideFrame(target: EventTarget): boolean {
  return target instanceof HTMLElement && !target.closest('[data-frame]');
}

function getGrip(target: EventTarget): Grip {
  const grip = target instanceof HTMLElement ? target.dataset.grip : undefined;
  return grip === 'scale' || grip === 'turn' ? grip : 'move';
}
