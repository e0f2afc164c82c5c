'use client';

import type { ReactNode } from 'react';
import { CENTRED } from '../../../../models/operations/remove-bg/backdrop/backdrop.ts';
import { probeImageFile } from '../../files/probe-image.ts';
import { useFacts } from '../../stage/use-facts.ts';
import type { Size } from '../../stage/view/stage-geometry.ts';
import { StagePlane } from '../../stage/view/stage-plane.tsx';
import { BackgroundLayer } from '../background/background-layer.tsx';
import { BlurredBackground } from '../background/blurred-background.tsx';
import type { BackgroundView } from '../background/use-background-view.ts';
import type { ToolEdits } from '../edits/use-cutout-edits.ts';
import type { SharedEditsState } from '../edits/use-shared-edits.ts';
import type { Preview } from '../stage/use-bitmaps.ts';
import { placementOf } from './canvas-edits.ts';
import { PlaceOverlay } from './place-overlay.tsx';
import { PlacedCanvas } from './placed-canvas.tsx';
import type { MovableBackground } from './use-placing.ts';
import { useSubjectLayout } from './use-subject-layout.ts';

interface PlacementOptions {
  readonly edits: ToolEdits;
  readonly before: Preview;
  readonly after: Preview;
  /** Size of the image, once known. */
  readonly facts: Size | undefined;
  readonly background: BackgroundView;
  readonly name: string;
  /** Whether the subject is being placed by hand. */
  readonly isPlacing: boolean;
}

interface PlacedCutout {
  /** Size of the canvas in pixels, once known. */
  readonly canvas: Size | undefined;
  /** Null while the cutout stays in its image. */
  readonly placed: ReactNode;
  readonly placing: ReactNode;
}

/** Shows a cutout on its canvas, and lets it be placed by hand. */
export function usePlacement({
  edits: { shared },
  before,
  after,
  facts,
  background,
  name,
  isPlacing,
}: PlacementOptions): PlacedCutout {
  const placement = placementOf(shared.canvas);
  // Without a placement, only placing by hand needs to know where the subject is.
  const measured = placement || isPlacing ? after : undefined;
  const layout = useSubjectLayout(measured, facts, placement?.layout ?? IN_IMAGE);
  const movable = useMovableBackground(shared);
  if (!layout || !facts || !after) return { canvas: undefined, placed: null, placing: null };
  const placed = placement && (
    <StagePlane>
      <BackgroundLayer background={background}>
        {background === 'blurred' && before && <BlurredBackground original={before} cutout={after} />}
        <PlacedCanvas
          bitmap={after}
          image={facts}
          layout={layout}
          shadow={placement.shadow}
          label={`${name}, result`}
        />
      </BackgroundLayer>
    </StagePlane>
  );
  const placing = (
    <PlaceOverlay
      layout={layout}
      position={shared.canvas.position}
      onPosition={(position, gesture) => shared.setCanvas({ position }, gesture)}
      background={movable}
    />
  );
  return { canvas: layout, placed, placing };
}

const IN_IMAGE = {};

/** Returns the background image that can be moved by hand; undefined where there is none, or its size is unknown. */
function useMovableBackground({
  background,
  setBackground,
}: SharedEditsState): MovableBackground | undefined {
  const picture = background.kind === 'picture' ? background : undefined;
  const image = useFacts(picture?.picture, probeImageFile);
  if (!picture || !image) return undefined;
  return {
    image,
    position: picture.position ?? CENTRED,
    onPosition: (position, gesture) => setBackground({ ...picture, position }, gesture),
  };
}
