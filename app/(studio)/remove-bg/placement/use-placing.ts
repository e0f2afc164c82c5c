'use client';

import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Layout, Position } from '../../../../models/kernels/placement/lay-out-subject.ts';
import type { StageView } from '../../stage/view/stage-context.ts';
import type { Point } from '../../stage/view/stage-geometry.ts';
import { pointOf } from '../../stage/view/use-stage-gestures.ts';
import { dragged, type Grip, movedByKey } from './move-subject.ts';

interface Placing {
  readonly stage: StageView;
  readonly layout: Layout;
  readonly position: Position;
  readonly onPosition: (position: Position, gesture: string) => void;
}

/** Moves, scales and turns the subject by pointer and keys. */
export function usePlacing({ stage, layout, position, onPosition }: Placing) {
  const held = useRef<{ grip: Grip; from: Point; at: Position; gesture: string }>(null);
  const centre: Point = {
    x: stage.box.left + layout.centre.x * stage.scale,
    y: stage.box.top + layout.centre.y * stage.scale,
  };
  return {
    centre,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0 || !event.isPrimary) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        const grip = gripOf(event.target);
        held.current = { grip, from: pointOf(event), at: position, gesture: `${grip} ${event.timeStamp}` };
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (!held.current) return;
        const { grip, from, at, gesture } = held.current;
        onPosition(dragged(grip, { at, from, to: pointOf(event), centre, box: stage.box }), gesture);
      },
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

function gripOf(target: EventTarget): Grip {
  const grip = target instanceof HTMLElement ? target.dataset.grip : undefined;
  return grip === 'scale' || grip === 'turn' ? grip : 'move';
}
