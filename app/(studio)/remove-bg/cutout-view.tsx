'use client';

import type { CSSProperties } from 'react';
import type { Stroke } from '../../../models/remove-bg/strokes.ts';
import { SplitView } from '../frame/compare-slider.tsx';
import { BackgroundLayer } from './background-layer.tsx';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import { BlurredBackground } from './blurred-background.tsx';
import type { Brush } from './brush.ts';
import { BrushCanvas } from './brush-canvas.tsx';
import styles from './cutout-view.module.css';
import { drawEdges } from './edge-view.ts';
import type { BackgroundView } from './use-background-view.ts';

export type View = 'result' | 'compare' | 'edges' | 'brush';

interface CutoutViewProps {
  readonly view: View;
  readonly name: string;
  readonly before: ImageBitmap;
  readonly after: ImageBitmap;
  readonly behind: BackgroundView;
  readonly brush: Brush;
  readonly pending: readonly Stroke[];
  readonly onBrush: (brush: Brush) => void;
  readonly onStroke: (stroke: Stroke) => void;
}

/** Shows a cutout in one of the view modes. */
export function CutoutView({ view, name, before, after, behind, ...painting }: CutoutViewProps) {
  const { width, height } = before;
  const result = <BitmapCanvas bitmap={after} label={`${name}, result`} className="develops" />;
  const ground = (
    <BackgroundLayer behind={behind}>
      {behind === 'blurred' && <BlurredBackground original={before} cutout={after} />}
      {result}
    </BackgroundLayer>
  );
  const original = <BitmapCanvas bitmap={before} label={`${name}, original`} />;
  return (
    <div className={styles.print} style={{ '--width': width, '--height': height } as CSSProperties}>
      {view === 'result' && ground}
      {view === 'compare' && <SplitView before={original} after={ground} />}
      {view === 'edges' && <BitmapCanvas bitmap={after} label={`${name}, matte`} draw={drawEdges} />}
      {view === 'brush' && (
        <>
          <div className={styles.faint}>
            <BitmapCanvas bitmap={before} />
          </div>
          {result}
          <BrushCanvas {...painting} />
        </>
      )}
    </div>
  );
}
