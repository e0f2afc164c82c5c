'use client';

import { type CSSProperties, type ReactNode, useRef } from 'react';
import type { ItemState } from '../../runs/batch.ts';
import { useCheckerboardShade } from './checkerboard.ts';
import { StageProvider, type StageView } from './stage-context.ts';
import { StageControls } from './stage-controls.tsx';
import type { Size } from './stage-geometry.ts';
import styles from './stage-well.module.css';
import { useStageGestures } from './use-stage-gestures.ts';
import { useStageView } from './use-stage-view.ts';

interface StageWellProps {
  /** Size in image pixels that 100 % refers to; undefined until known. Until then the content fills the well. */
  readonly image: Size | undefined;
  readonly phase: ItemState['phase'];
  /** Whether the image shows the checkerboard, whose shade can then be chosen. */
  readonly isTransparent: boolean;
  readonly label?: string;
  /** Whether the content has handles at its edges, which the buttons over a narrow well must leave free. */
  readonly hasHandles?: boolean;
  /** Content in the well's coordinates. A `StagePlane` in it has the image's. */
  readonly children: ReactNode;
}

/** Well in which an image or a video can be zoomed and panned, by wheel, pointer, fingers and keys. */
export function StageWell({
  image,
  phase,
  isTransparent,
  label = 'Image view',
  hasHandles = false,
  children,
}: StageWellProps) {
  const well = useRef<HTMLDivElement>(null);
  const stage = useStageView(well, image);
  const { isPanning, isSpaceDown, handlers } = useStageGestures(well, stage);
  const [isSwitched, switchBoard] = useCheckerboardShade();
  const hand = isPanning ? 'closed' : isSpaceDown || stage?.canPan ? 'open' : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      ref={well}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is zoomed and panned by keys
      tabIndex={0}
      aria-label={label}
      aria-describedby="stage-keys"
      className={styles.well}
      data-phase={phase}
      data-measured={stage !== null}
      data-crisp={stage?.isCrisp}
      data-hand={hand}
      data-takes-space={isSpaceDown}
      data-switched={isSwitched}
      style={stage ? placeOf(stage) : undefined}
      {...handlers}
    >
      <StageProvider value={stage}>{children}</StageProvider>
      <p id="stage-keys" className="sr-only">
        Plus and minus zoom, 0 shows the whole image, 1 shows 100 %, arrow keys move a zoomed image.
      </p>
      {stage && (
        <StageControls
          stage={stage}
          isSwitched={isSwitched}
          onSwitch={isTransparent ? switchBoard : undefined}
          isShort={hasHandles}
        />
      )}
    </div>
  );
}

/** Set by script only: the page's policy allows no style attribute in server-rendered HTML. */
function placeOf({ image, box, scale }: StageView): CSSProperties {
  // Whole device pixels, so that at 100 % each image pixel covers exactly one.
  const whole = (value: number) => Math.round(value * devicePixelRatio) / devicePixelRatio;
  return {
    '--image-width': `${image.width}px`,
    '--image-height': `${image.height}px`,
    '--x': `${whole(box.left)}px`,
    '--y': `${whole(box.top)}px`,
    '--scale': scale,
  } as CSSProperties;
}
