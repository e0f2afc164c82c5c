'use client';

import { type CSSProperties, useId } from 'react';
import type { Layout, Position } from '../../../../models/operations/remove-bg/placement/lay-out-subject.ts';
import { type StageView, useStage } from '../../stage/view/stage-context.ts';
import styles from './place-overlay.module.css';
import { type MovableBackground, usePlacing } from './use-placing.ts';

interface PlaceOverlayProps {
  readonly layout: Layout;
  readonly position: Position | null;
  readonly onPosition: (position: Position, gesture: string) => void;
  /** Undefined where the background cannot be moved. */
  readonly background: MovableBackground | undefined;
}

/** Layer over the well with the subject's frame, by which it is moved, scaled and turned. */
export function PlaceOverlay(props: PlaceOverlayProps) {
  const stage = useStage();
  return stage && <MeasuredOverlay {...props} stage={stage} />;
}

function MeasuredOverlay({
  stage,
  layout,
  position,
  onPosition,
  background,
}: PlaceOverlayProps & { readonly stage: StageView }) {
  const keys = useId();
  const at = position ?? {
    x: layout.centre.x / layout.width,
    y: layout.centre.y / layout.height,
    scale: 1,
    angle: 0,
  };
  const { centre, handlers } = usePlacing({ stage, layout, position: at, onPosition, background });
  const size = layout.scale * stage.scale;
  const frame = {
    '--x': `${centre.x}px`,
    '--y': `${centre.y}px`,
    '--width': `${layout.box.width * size}px`,
    '--height': `${layout.box.height * size}px`,
    '--angle': `${layout.angle}deg`,
  } as CSSProperties;
  return (
    <>
      <div
        className={styles.sheet}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
        tabIndex={0}
        aria-label="Place of the subject"
        aria-roledescription="placing area"
        aria-describedby={keys}
        {...handlers}
      >
        <div className={styles.frame} style={frame} data-frame>
          <span data-grip="scale" />
          <span data-grip="turn" />
        </div>
      </div>
      <p id={keys} className="sr-only">
        Arrow keys move the subject, with Shift farther. Plus and minus scale it, square brackets turn it.
        {background && ' A drag beside it moves the background, which the settings move by keys.'}
      </p>
    </>
  );
}
