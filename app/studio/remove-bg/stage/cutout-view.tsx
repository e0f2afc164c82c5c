'use client';

import { type ReactNode, useCallback, useState } from 'react';
import type { Draft } from '../../../../models/core/runtime/progress.ts';
import type { Stroke } from '../../../../models/operations/remove-bg/strokes.ts';
import { SplitView } from '../../stage/compare-slider.tsx';
import { useStage } from '../../stage/stage-context.ts';
import { StagePlane } from '../../stage/stage-plane.tsx';
import { BackgroundLayer, type BackgroundView } from '../background-layer.tsx';
import { BlurredBackground } from '../blurred-background.tsx';
import styles from '../view-layers.module.css';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import type { Brush } from './brush.ts';
import { BrushCanvas } from './brush-canvas.tsx';
import { DETAIL_SIDE, usePreview } from './use-bitmaps.ts';

interface DraftCutoutProps {
  readonly name: string;
  readonly preview: ImageBitmap;
  readonly draft: Draft;
  readonly background: BackgroundView;
}

/** Colour of pixels where the matte is neither clear nor solid. */
const SOFT_COLOUR = '#ff5a3c';

interface DetailedCanvasProps {
  readonly bitmap: ImageBitmap;
  /** File that the bitmap was reduced from; absent where only the bitmap exists. */
  readonly file: Blob | undefined;
  readonly label: string;
  readonly className?: string;
}

export type View = 'result' | 'compare' | 'place' | 'edges' | 'brush';

interface CutoutViewProps {
  readonly view: View;
  readonly name: string;
  readonly original: Blob;
  /** File of `after`; absent while strokes have changed the preview alone. */
  readonly cutout: Blob | undefined;
  readonly before: ImageBitmap;
  readonly after: ImageBitmap;
  readonly background: BackgroundView;
  /** Cutout in its place on a canvas; absent where it stays in its image. */
  readonly placed: ReactNode;
  /** Layer that places it by hand. */
  readonly placing: ReactNode;
  readonly brush: Brush;
  readonly pending: readonly Stroke[];
  readonly onBrush: (brush: Brush) => void;
  readonly onStroke: (stroke: Stroke) => void;
}

/** Shows a cutout in one of the view modes. */
export function CutoutView({
  view,
  name,
  original,
  cutout,
  before,
  after,
  background,
  placed,
  placing,
  ...painting
}: CutoutViewProps) {
  const result = (
    <DetailedCanvas bitmap={after} file={cutout} label={`${name}, result`} className="develops" />
  );
  const finished = (
    <StagePlane>
      <BackgroundLayer background={background}>
        {background === 'blurred' && <BlurredBackground original={before} cutout={after} />}
        {result}
      </BackgroundLayer>
    </StagePlane>
  );
  switch (view) {
    case 'result':
    case 'place':
      return (
        <>
          {placed ?? finished}
          {view === 'place' && placing}
        </>
      );
    case 'compare': {
      const unchanged = (
        <StagePlane>
          <DetailedCanvas bitmap={before} file={original} label={`${name}, original`} />
        </StagePlane>
      );
      return <SplitView before={unchanged} after={finished} />;
    }
    case 'edges':
      return (
        <StagePlane>
          <BitmapCanvas bitmap={after} label={`${name}, matte`} draw={drawMatte} />
        </StagePlane>
      );
    case 'brush':
      return (
        <>
          <StagePlane>
            <div className={styles.faint}>
              <BitmapCanvas bitmap={before} />
            </div>
            {result}
          </StagePlane>
          <BrushCanvas {...painting} />
        </>
      );
  }
}

/** Shows a preview, and a larger one of the same file once the zoom has use for it. */
function DetailedCanvas({ bitmap, file, label, className }: DetailedCanvasProps) {
  const stage = useStage();
  const [isClose, setIsClose] = useState(false);
  const shownWidth = (stage?.box.width ?? 0) * devicePixelRatio;
  if (!isClose && shownWidth > bitmap.width && (stage?.image.width ?? 0) > bitmap.width) setIsClose(true);
  const detailed = usePreview(isClose ? file : undefined, DETAIL_SIDE);
  return <BitmapCanvas bitmap={detailed ?? bitmap} label={label} className={className} />;
}

/**
 * Draws the matte of a cutout: white is subject, black is background, soft edges are coloured.
 * @param cutout with transparency
 */
function drawMatte(context: CanvasRenderingContext2D, cutout: CanvasImageSource): void {
  const { width, height } = context.canvas;
  const layer = (background: string, ink: string) => {
    const canvas = new OffscreenCanvas(width, height);
    const drawing = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    drawing.drawImage(cutout, 0, 0, width, height);
    fill(drawing, 'source-in', ink);
    fill(drawing, 'destination-over', background);
    return canvas;
  };
  const soft = layer('#fff', '#000');
  const drawing = soft.getContext('2d') as OffscreenCanvasRenderingContext2D;
  // Alpha times its complement is at most a quarter; doubled twice, it is 1 where the matte is undecided.
  drawing.globalCompositeOperation = 'multiply';
  drawing.drawImage(layer('#000', '#fff'), 0, 0);
  drawing.globalCompositeOperation = 'lighter';
  drawing.drawImage(soft, 0, 0);
  drawing.drawImage(soft, 0, 0);
  fill(drawing, 'multiply', SOFT_COLOUR);
  context.drawImage(layer('#000', '#fff'), 0, 0);
  context.globalCompositeOperation = 'lighter';
  context.drawImage(soft, 0, 0);
  context.globalCompositeOperation = 'source-over';
}

function fill(
  drawing: OffscreenCanvasRenderingContext2D,
  operation: GlobalCompositeOperation,
  colour: string,
): void {
  drawing.globalCompositeOperation = operation;
  drawing.fillStyle = colour;
  drawing.fillRect(0, 0, drawing.canvas.width, drawing.canvas.height);
}

/** Shows a subject by the first matte of its run, with coarse edges, until the cutout itself is there. */
export function DraftCutout({ name, preview, draft, background }: DraftCutoutProps) {
  const draw = useCallback(
    (context: CanvasRenderingContext2D, bitmap: ImageBitmap) => drawDraft(context, bitmap, draft),
    [draft],
  );
  return (
    <StagePlane>
      <BackgroundLayer background={background}>
        <BitmapCanvas bitmap={preview} label={`${name}, draft cutout`} draw={draw} />
      </BackgroundLayer>
    </StagePlane>
  );
}

/** Draws an image where its matte has opacity. The browser interpolates the matte, which is smaller. */
function drawDraft(context: CanvasRenderingContext2D, image: ImageBitmap, draft: Draft): void {
  const { width, height } = context.canvas;
  context.drawImage(image, 0, 0, width, height);
  context.globalCompositeOperation = 'destination-in';
  context.drawImage(getMatte(draft), 0, 0, width, height);
  context.globalCompositeOperation = 'source-over';
}

function getMatte({ width, height, opacity }: Draft): OffscreenCanvas {
  const pixels = new ImageData(width, height);
  for (let at = 0; at < opacity.length; at++) pixels.data[4 * at + 3] = opacity[at];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  return canvas;
}
