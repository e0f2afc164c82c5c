'use client';

import { useEffect, useRef } from 'react';
import { blurredSurroundings } from '../../../models/kernels/blurred-surroundings.ts';
import { fitWithin, resizeAlpha, resizeColours } from '../../../models/kernels/resize.ts';
import type { Raster } from '../../../models/raster.ts';
import { BLURRED_SIDE } from '../../../models/remove-bg/look.ts';

interface BlurredGroundProps {
  readonly original: ImageBitmap;
  readonly cutout: ImageBitmap;
}

/** What was around the subject, out of focus, as the file will have it: so small that the page can make it. */
export function BlurredGround({ original, cutout }: BlurredGroundProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || original.width === 0 || cutout.width === 0) return;
    const size = fitWithin(original, BLURRED_SIDE);
    const colours = resizeColours(reduced(original, size), size.width, size.height);
    const matte = resizeAlpha(reduced(cutout, size), size.width, size.height);
    const { width, height, data } = blurredSurroundings(colours, matte);
    context.canvas.width = width;
    context.canvas.height = height;
    context.putImageData(new ImageData(new Uint8ClampedArray(data.buffer), width, height), 0, 0);
  }, [original, cutout]);
  return <canvas ref={canvas} aria-hidden />;
}

function reduced(bitmap: ImageBitmap, { width, height }: { width: number; height: number }): Raster {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser gives no canvas.');
  context.drawImage(bitmap, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: new Uint8Array(data) };
}
