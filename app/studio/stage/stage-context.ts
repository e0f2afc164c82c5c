'use client';

import { createContext, useContext } from 'react';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import type { Box, Point, PointerPair } from './stage-geometry.ts';

/** View of a stage, and ways to change it. Points are CSS pixels from the well's upper left corner. */
export interface StageView {
  /** Image's box in the well, in CSS pixels. */
  readonly box: Box;
  /** In image pixels. */
  readonly image: ImageSize;
  /** In CSS pixels. */
  readonly well: ImageSize;
  /** CSS pixels per image pixel. */
  readonly scale: number;
  /** Zoom of real pixels: at 100 one image pixel covers one device pixel. */
  readonly percent: number;
  readonly isFit: boolean;
  readonly canPan: boolean;
  /** Whether pixels are drawn as squares. */
  readonly isCrisp: boolean;
  /** Shows the whole image. */
  fit(): void;
  /** Zooms to 100 %, around the well's middle unless told otherwise. */
  showActual(at?: Point): void;
  /** Zooms one step in or out, around the well's middle. */
  step(direction: 1 | -1): void;
  /** Multiplies the zoom around a point. */
  zoomBy(factor: number, at: Point): void;
  panBy(by: Point): void;
  pinch(from: PointerPair, to: PointerPair): void;
  /** Shows a point, given in shares of the image's sides, in the middle at 100 or 200 %. */
  focusOn(share: Point): void;
  /** Moves the view just as far as needed to show a point, given in shares of the image's sides. */
  reveal(share: Point): void;
}

const StageContext = createContext<StageView | null>(null);

/** Provides the stage's view to its content. */
export const StageProvider = StageContext.Provider;

/** Returns the view of the stage around a component; null without one, and until both sizes are known. */
export function useStage(): StageView | null {
  return useContext(StageContext);
}
