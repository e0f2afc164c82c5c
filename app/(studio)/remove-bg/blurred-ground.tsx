'use client';

import { useEffect, useRef } from 'react';
import { blurredSurroundings } from '../../../models/kernels/blurred-surroundings.ts';
import { fitWithin, resizeAlpha, resizeColours } from '../../../models/kernels/resize.ts';
import type { Raster } from '../../../models/raster.ts';
import { BLURRED_SIDE } from '../../../models/remove-bg/look.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

interface BlurredGroundProps {
  readonly original: ImageBitmap;
  readonly cutout: ImageBitmap;
}

/** What was around the subject, out of focus, as the file will have it: so small that the page can make it. */
export function BlurredGround({ original, cutout }: BlurredGroundProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current && original.width > 0 && cutout.width > 0) {
      paintBlurred(canvas.current, original, cutout, original);
    }
  }, [original, cutout]);
  return <canvas ref={canvas} aria-hidden />;
}

interface BlurredClipProps {
  readonly original: HTMLVideoElement;
  readonly cutout: HTMLVideoElement;
}

/** The same behind a video, with every frame that is shown. */
export function BlurredClip({ original, cutout }: BlurredClipProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const paint = () => {
      const { videoWidth: width, videoHeight: height } = original;
      const isThere = [original, cutout].every(
        (clip) => clip.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA,
      );
      if (canvas.current && isThere) paintBlurred(canvas.current, original, cutout, { width, height });
    };
    paint();
    const ends = [original, cutout].map((clip) => onEachFrame(clip, paint));
    return () => {
      for (const end of ends) end();
    };
  }, [original, cutout]);
  return <canvas ref={canvas} aria-hidden />;
}

/** @returns ends it */
function onEachFrame(clip: HTMLVideoElement, act: () => void): () => void {
  const next = () => {
    act();
    handle = clip.requestVideoFrameCallback(next);
  };
  let handle = clip.requestVideoFrameCallback(next);
  return () => clip.cancelVideoFrameCallback(handle);
}

function paintBlurred(
  canvas: HTMLCanvasElement,
  original: CanvasImageSource,
  cutout: CanvasImageSource,
  full: Size,
): void {
  const size = fitWithin(full, BLURRED_SIDE);
  const colours = resizeColours(reduced(original, size), size.width, size.height);
  const matte = resizeAlpha(reduced(cutout, size), size.width, size.height);
  const { width, height, data } = blurredSurroundings(colours, matte);
  canvas.width = width;
  canvas.height = height;
  const pixels = new ImageData(new Uint8ClampedArray(data.buffer), width, height);
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
}

function reduced(source: CanvasImageSource, { width, height }: Size): Raster {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser gives no canvas.');
  context.drawImage(source, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: new Uint8Array(data) };
}
