'use client';

import { type CSSProperties, type ReactNode, useCallback, useEffect, useId, useMemo, useState } from 'react';
import type { FloatImage, ImageSize, PixelRegion } from '../../../../models/core/runtime/raster.ts';
import { scaleRegion } from '../../../../models/kernels/raster/crop.ts';
import { fitWithin } from '../../../../models/kernels/raster/resize.ts';
import { CENTRED } from '../../../../models/operations/remove-bg/backdrop.ts';
import {
  alphaBox,
  type Layout,
  type LayoutOptions,
  layOutSubject,
  type Position,
} from '../../../../models/operations/remove-bg/lay-out-subject.ts';
import type { Shadow } from '../../../../models/operations/remove-bg/place-subject.ts';
import { probeImageFile, readPixels } from '../../files/open-bitmap.ts';
import { useFacts } from '../../stage/facts.tsx';
import { type StageView, useStage } from '../../stage/stage-context.ts';
import { StagePlane } from '../../stage/stage-plane.tsx';
import type { BackgroundView } from '../background-layer.tsx';
import { BackgroundLayer } from '../background-layer.tsx';
import { BlurredBackground } from '../blurred-background.tsx';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import { getPlacement } from './canvas-edits.ts';
import { castPlacedShadow, drawPlaced, readSilhouette } from './draw-placed.ts';
import styles from './place-overlay.module.css';
import { PASSPORT_PHOTO } from './print-sheet.ts';
import type { Preview } from './use-bitmaps.ts';
import type { SharedEditsState, ToolEdits } from './use-cutout-edits.ts';
import { type MovableBackground, usePlacing } from './use-placing.ts';

interface PlaceOverlayProps {
  readonly layout: Layout;
  readonly position: Position | null;
  readonly onPosition: (position: Position, gesture: string) => void;
  /** Undefined where the background cannot be moved. */
  readonly background: MovableBackground | undefined;
}

const CORNERS = ['top left', 'top right', 'bottom left', 'bottom right'] as const;

/** Longest side at which the subject's box is measured, in pixels. */
const MEASURED_SIDE = 800;

interface PlacedCanvasProps {
  readonly bitmap: ImageBitmap;
  readonly image: ImageSize;
  readonly layout: Layout;
  readonly shadow: Shadow | null;
  readonly label: string;
}

interface ShadowOptions {
  readonly bitmap: ImageBitmap;
  readonly reduction: number;
  readonly layout: Layout;
  readonly kind: Shadow['kind'] | undefined;
}

interface PlacementOptions {
  readonly edits: ToolEdits;
  readonly before: Preview;
  readonly after: Preview;
  /** Size of the image, once known. */
  readonly facts: ImageSize | undefined;
  readonly background: BackgroundView;
  readonly name: string;
  /** Whether the subject is being placed by hand. */
  readonly isPlacing: boolean;
}

interface PlacedCutout {
  /** Size of the canvas in pixels, once known. */
  readonly canvas: ImageSize | undefined;
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
  const placement = getPlacement(shared.canvas);
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
      {isPlacing && shared.canvas.size === 'passport' && <HeadGuide />}
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

/** Lines for crown and chin over a passport photo, and an oval for the face. */
function HeadGuide() {
  const { width, height, crown, chin } = PASSPORT_PHOTO;
  const face = { cx: width / 2, cy: (crown + chin) / 2, rx: (chin - crown) * 0.37, ry: (chin - crown) / 2 };
  return (
    <svg className={styles.guide} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      {['under', 'over'].map((line) => (
        <g key={line} data-line={line}>
          <ellipse {...face} />
          {[crown, chin].map((y) => (
            <line key={y} x1={0} x2={width} y1={y} y2={y} />
          ))}
        </g>
      ))}
    </svg>
  );
}

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

/** Shows a cutout in its place on a canvas, with its shadow. */
function PlacedCanvas({ bitmap, image, layout, shadow, label }: PlacedCanvasProps) {
  const { width, height } = image;
  const { kind, strength = 0 } = shadow ?? {};
  const map = useShadow({ bitmap, reduction: bitmap.width / width, layout, kind });
  const draw = useCallback(
    (context: CanvasRenderingContext2D, shown: ImageBitmap) =>
      drawPlaced(context, shown, { image: { width, height }, layout, shadow: map && { map, strength } }),
    [width, height, layout, map, strength],
  );
  return <BitmapCanvas bitmap={bitmap} label={label} draw={draw} />;
}

/** Casts the shadow; a drag reads no pixels again, and another strength casts none. */
function useShadow({ bitmap, reduction, layout, kind }: ShadowOptions): FloatImage | null {
  const { box } = layout;
  const isCast = kind !== undefined && bitmap.width > 0;
  const silhouette = useMemo(
    () => (isCast ? readSilhouette(bitmap, box, reduction) : null),
    [isCast, bitmap, box, reduction],
  );
  return useMemo(
    () => (silhouette && kind ? castPlacedShadow(silhouette, layout, kind) : null),
    [silhouette, layout, kind],
  );
}

/**
 * Returns where the subject of a cutout lies on its canvas, in pixels of the file to save.
 * @param image size of the image, once known
 * @returns null until the subject is measured
 */
function useSubjectLayout(
  cutout: Preview,
  image: ImageSize | undefined,
  options: LayoutOptions,
): Layout | null {
  const share = useSubjectBox(cutout ?? undefined);
  const { canvas, margin, position } = options;
  const { width, height } = image ?? {};
  // Memoized separately: a shadow's silhouette is read again with each new box.
  const box = useMemo(
    () =>
      share &&
      width &&
      height && { ...scaleRegion(share, width), top: share.top * height, height: share.height * height },
    [share, width, height],
  );
  return useMemo(() => {
    if (!box || !width || !height) return null;
    return layOutSubject({ width, height }, box, { canvas, margin, position });
  }, [box, width, height, canvas, margin, position]);
}

/** Measures the subject's box as shares of the image's sides. */
function useSubjectBox(cutout: ImageBitmap | undefined): PixelRegion | undefined {
  const [measured, setMeasured] = useState<{ cutout: ImageBitmap; box: PixelRegion }>();
  useEffect(() => {
    if (!cutout || cutout.width === 0) return;
    const raster = readPixels(cutout, fitWithin(cutout, MEASURED_SIDE));
    const { width, height } = raster;
    const box = alphaBox(raster);
    const across = scaleRegion(box, 1 / width);
    setMeasured({ cutout, box: { ...across, top: box.top / height, height: box.height / height } });
  }, [cutout]);
  return measured?.cutout === cutout ? measured?.box : undefined;
}

/** Layer over the well with the subject's frame, by which it is moved, scaled and turned. */
function PlaceOverlay(props: PlaceOverlayProps) {
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
          {CORNERS.map((corner) => (
            <span key={corner} data-grip="scale" data-corner={corner} />
          ))}
          <span data-grip="turn" />
        </div>
      </div>
      <p id={keys} className="sr-only">
        Arrow keys move the subject, with Shift farther. Plus and minus scale it, square brackets turn it.
        {background && ' A drag next to it moves the background, which the settings move by keys.'}
      </p>
    </>
  );
}
