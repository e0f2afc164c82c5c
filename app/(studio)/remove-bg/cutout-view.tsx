'use client';

import type { CSSProperties, ReactNode } from 'react';
import type { Stroke } from '../../../models/remove-bg/strokes.ts';
import { SplitView } from '../frame/compare-slider.tsx';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import type { Brush } from './brush.ts';
import { BrushCanvas } from './brush-canvas.tsx';
import styles from './cutout-view.module.css';
import { drawEdges } from './edge-view.ts';

export type View = 'result' | 'compare' | 'edges' | 'brush';

interface CutoutViewProps {
  readonly view: View;
  readonly name: string;
  readonly before: ImageBitmap;
  readonly after: ImageBitmap;
  /** What stands behind, as a value for `background`; null for nothing. */
  readonly behind: string | null;
  readonly brush: Brush;
  readonly pending: readonly Stroke[];
  readonly onBrush: (brush: Brush) => void;
  readonly onStroke: (stroke: Stroke) => void;
}

/** A cutout in one of the ways of looking at it. */
export function CutoutView({ view, name, before, after, behind, ...painting }: CutoutViewProps) {
  const { width, height } = before;
  const result = <BitmapCanvas bitmap={after} label={`${name}, result`} className="develops" />;
  const original = <BitmapCanvas bitmap={before} label={`${name}, original`} />;
  return (
    <div className={styles.print} style={{ '--width': width, '--height': height } as CSSProperties}>
      {view === 'result' && <Ground behind={behind}>{result}</Ground>}
      {view === 'compare' && (
        <SplitView before={original} after={<Ground behind={behind}>{result}</Ground>} />
      )}
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

/** What stands behind the cutout: a chequered ground where nothing does. */
function Ground({ behind, children }: { readonly behind: string | null; readonly children: ReactNode }) {
  return (
    <div
      className={styles.ground}
      data-transparent={behind === null}
      style={behind === null ? undefined : { background: behind }}
    >
      {children}
    </div>
  );
}
