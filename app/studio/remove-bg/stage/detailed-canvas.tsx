'use client';

import { useState } from 'react';
import { useStage } from '../../stage/view/stage-context.ts';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import { DETAIL_SIDE, usePreview } from './use-bitmaps.ts';

interface DetailedCanvasProps {
  readonly bitmap: ImageBitmap;
  /** File that the bitmap was reduced from; absent where only the bitmap exists. */
  readonly file: Blob | undefined;
  readonly label: string;
  readonly className?: string;
}

/** Shows a preview, and a larger one of the same file once the zoom has use for it. */
export function DetailedCanvas({ bitmap, file, label, className }: DetailedCanvasProps) {
  const stage = useStage();
  const [isClose, setIsClose] = useState(false);
  const shownWidth = (stage?.box.width ?? 0) * devicePixelRatio;
  if (!isClose && shownWidth > bitmap.width && (stage?.image.width ?? 0) > bitmap.width) setIsClose(true);
  const detailed = usePreview(isClose ? file : undefined, DETAIL_SIDE);
  return <BitmapCanvas bitmap={detailed ?? bitmap} label={label} className={className} />;
}
