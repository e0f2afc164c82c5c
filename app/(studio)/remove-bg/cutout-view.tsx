'use client';

import type { CSSProperties } from 'react';
import type { Stroke } from '../../../models/remove-bg/strokes.ts';
import { SplitView } from '../frame/compare-slider.tsx';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import { BlurredGround } from './blurred-ground.tsx';
import type { Brush } from './brush.ts';
import { BrushCanvas } from './brush-canvas.tsx';
import styles from './cutout-view.module.css';
import { drawEdges } from './edge-view.ts';
import { GroundLayer } from './ground-layer.tsx';
import type { Ground } from './use-ground.ts';

export type View = 'result' | 'compare' | 'edges' | 'brush';

interface CutoutViewProps {
  readonly view: View;
  readonly name: string;
  readonly before: ImageBitmap;
  readonly after: ImageBitmap;
  readonly behind: Ground;
  readonly brush: Brush;
  readonly pending: readonly Stroke[];
  readonly onBrush: (brush: Brush) => void;
  readonly onStroke: (stroke: Stroke) => void;
}

/** A cutout in one of the ways of looking at it. */
export function CutoutView({ view, name, before, after, behind, ...painting }: CutoutViewProps) {
  const { width, height } = before;
  const result = <BitmapCanvas bitmap={after} label={`${name}, result`} className="develops" />;
  const ground = (
    <GroundLayer behind={behind}>
      {behind === 'blurred' && <BlurredGround original={before} cutout={after} />}
      {result}
    </GroundLayer>
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
