'use client';

import type { Stroke } from '../../../models/remove-bg/strokes.ts';
import { SplitView } from '../frame/compare-slider.tsx';
import { StagePlane } from '../frame/stage-plane.tsx';
import { BackgroundLayer } from './background-layer.tsx';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import { BlurredBackground } from './blurred-background.tsx';
import type { Brush } from './brush.ts';
import { BrushCanvas } from './brush-canvas.tsx';
import styles from './cutout-view.module.css';
import { DetailedCanvas } from './detailed-canvas.tsx';
import { drawEdges } from './edge-view.ts';
import type { BackgroundView } from './use-background-view.ts';

export type View = 'result' | 'compare' | 'edges' | 'brush';

interface CutoutViewProps {
  readonly view: View;
  readonly name: string;
  readonly original: Blob;
  /** File of `after`; absent while strokes have changed the preview alone. */
  readonly cutout: Blob | undefined;
  readonly before: ImageBitmap;
  readonly after: ImageBitmap;
  readonly behind: BackgroundView;
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
  behind,
  ...painting
}: CutoutViewProps) {
  const result = (
    <DetailedCanvas bitmap={after} file={cutout} label={`${name}, result`} className="develops" />
  );
  const finished = (
    <StagePlane>
      <BackgroundLayer behind={behind}>
        {behind === 'blurred' && <BlurredBackground original={before} cutout={after} />}
        {result}
      </BackgroundLayer>
    </StagePlane>
  );
  switch (view) {
    case 'result':
      return finished;
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
          <BitmapCanvas bitmap={after} label={`${name}, matte`} draw={drawEdges} />
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
