'use client';

import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { Extent } from '../../../models/operations/extend/geometry.ts';
import { LabelledNumber } from '../form/number-field.tsx';
import form from '../form/params-form.module.css';
import { type StageView, useStage } from '../stage/stage-context.ts';
import styles from './extend.module.css';
import { boundedMargin, MARGIN_MAX, type Margins, SIDES, type Side } from './margins.ts';

interface MarginFieldsProps {
  readonly margins: Margins;
  readonly disabled: boolean;
  readonly onMargins: (margins: Margins) => void;
}

const SIDE_NAMES = { left: 'Left', top: 'Top', right: 'Right', bottom: 'Bottom' } as const;

const MARGIN = { min: 0, max: MARGIN_MAX, isInteger: true };

/** Pixels by which an arrow key moves an edge, alone and with Shift, and by which a page key does. */
const STEP = { arrow: 10, fine: 1, page: 100 } as const;

/** Direction outwards of each side. */
const OUTWARDS: Readonly<Record<Side, { readonly x: number; readonly y: number }>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  top: { x: 0, y: -1 },
  bottom: { x: 0, y: 1 },
};

interface EdgesProps {
  readonly extent: Extent;
  /** Room around the frame in the stage, in image pixels. */
  readonly room: number;
  readonly margins: Margins;
  readonly disabled: boolean;
  readonly onMargins: (margins: Margins) => void;
}

/** Edges of the frame around the image. A pointer drags them, and arrow keys move them. */
export function FrameEdges(props: EdgesProps) {
  const stage = useStage();
  return stage && <MeasuredEdges stage={stage} {...props} />;
}

function MeasuredEdges({ stage, ...props }: EdgesProps & { readonly stage: StageView }) {
  const { extent, room, margins, disabled } = props;
  const { box, scale } = stage;
  const place: CSSProperties = {
    width: extent.width * scale,
    height: extent.height * scale,
    transform: `translate(${box.left + room * scale}px, ${box.top + room * scale}px)`,
  };
  return (
    <div className={styles.frame} style={place}>
      {SIDES.map((side) => (
        <Edge key={side} side={side} stage={stage} {...props} />
      ))}
      <span className={styles.tag}>
        {extent.width} × {extent.height}
      </span>
      <p id="edge-keys" className="sr-only">
        {disabled
          ? 'The edges stay while a run is under way.'
          : `Arrow keys move the edge, with Shift by one pixel. ${SIDES.map((side) => `${SIDE_NAMES[side]} ${margins[side]}`).join(', ')}.`}
      </p>
    </div>
  );
}

interface EdgeProps extends EdgesProps {
  readonly side: Side;
  readonly stage: StageView;
}

function Edge(props: EdgeProps) {
  const { side, margins, disabled, onMargins } = props;
  const outwards = OUTWARDS[side];
  const move = (pixels: number) => {
    const next = boundedMargin(pixels);
    if (next !== margins[side]) onMargins({ ...margins, [side]: next });
  };
  const { isDragging, handlers } = useEdgeDrag(props, move);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const to = disabled ? undefined : marginByKey(event, margins[side], outwards);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(to);
  };
  return (
    <div
      className={styles.edge}
      data-side={side}
      data-dragging={isDragging}
      role="slider"
      tabIndex={0}
      aria-label={`${SIDE_NAMES[side]} edge`}
      aria-orientation={outwards.x === 0 ? 'vertical' : 'horizontal'}
      aria-valuemin={0}
      aria-valuemax={MARGIN_MAX}
      aria-valuenow={margins[side]}
      aria-valuetext={`${margins[side]} pixels added`}
      aria-disabled={disabled}
      aria-describedby="edge-keys"
      onKeyDown={onKeyDown}
      {...handlers}
    >
      <span>+{margins[side]}</span>
    </div>
  );
}

/** Drags an edge by a pointer. */
function useEdgeDrag({ side, stage, margins, disabled }: EdgeProps, move: (pixels: number) => void) {
  const [isDragging, setDragging] = useState(false);
  const begun = useRef({ at: { x: 0, y: 0 }, margin: 0, scale: 1 });
  const outwards = OUTWARDS[side];
  const stop = () => setDragging(false);
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      // A second finger zooms.
      if (!event.isPrimary || event.button !== 0 || disabled) return stop();
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      // The stage zooms out as the frame grows: the scale of the beginning keeps the drag even.
      begun.current = {
        at: { x: event.clientX, y: event.clientY },
        margin: margins[side],
        scale: stage.scale,
      };
      setDragging(true);
    },
    onPointerMove({ clientX, clientY }: PointerEvent<HTMLElement>) {
      if (!isDragging) return;
      const { at, margin, scale } = begun.current;
      move(margin + ((clientX - at.x) * outwards.x + (clientY - at.y) * outwards.y) / scale);
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
  return { isDragging, handlers };
}

/** Returns the margin that a key sets: arrows move the edge, outwards or inwards; the others are a slider's. */
function marginByKey(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
  margin: number,
  outwards: { readonly x: number; readonly y: number },
): number | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const step = shiftKey ? STEP.fine : STEP.arrow;
  const along = (x: number, y: number) => {
    const direction = x * outwards.x + y * outwards.y;
    // Across the edge's way, up and right are more.
    return margin + step * (direction === 0 ? x - y : direction);
  };
  switch (key) {
    case 'ArrowLeft':
      return along(-1, 0);
    case 'ArrowRight':
      return along(1, 0);
    case 'ArrowUp':
      return along(0, -1);
    case 'ArrowDown':
      return along(0, 1);
    case 'PageUp':
      return margin + STEP.page;
    case 'PageDown':
      return margin - STEP.page;
    case 'Home':
      return 0;
    case 'End':
      return MARGIN_MAX;
    default:
      return undefined;
  }
}

/** Number inputs for the pixels added on each side. */
export function MarginFields({ margins, disabled, onMargins }: MarginFieldsProps) {
  return (
    <fieldset className={form.field} disabled={disabled} aria-describedby="margins-mean">
      <legend className={form.label}>Pixels added</legend>
      <div className={form.numbers}>
        {SIDES.map((side) => (
          <LabelledNumber
            key={side}
            label={SIDE_NAMES[side]}
            bounds={MARGIN}
            value={margins[side]}
            onChange={(pixels) => pixels !== undefined && onMargins({ ...margins, [side]: pixels })}
          />
        ))}
      </div>
      <p id="margins-mean" className="note">
        At most {MARGIN_MAX} on a side.
      </p>
    </fieldset>
  );
}
