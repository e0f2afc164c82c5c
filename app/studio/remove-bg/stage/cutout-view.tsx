'use client';

import type { ReactNode } from 'react';
import type { Stroke } from '../../../../models/operations/remove-bg/strokes.ts';
import { SplitView } from '../../stage/view/compare-slider.tsx';
import { StagePlane } from '../../stage/view/stage-plane.tsx';
import { BackgroundLayer } from '../background/background-layer.tsx';
import { BlurredBackground } from '../background/blurred-background.tsx';
import type { BackgroundView } from '../background/use-background-view.ts';
import styles from '../background/view-layers.module.css';
import type { Brush } from '../edits/brush.ts';
import { BrushCanvas } from '../edits/brush-canvas.tsx';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import { DetailedCanvas } from './detailed-canvas.tsx';
import { drawMatte } from './draw-matte.ts';

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
