'use client';

import { useEffect, useRef } from 'react';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { fitWithin, resizeAlpha, resizeColours } from '../../../models/kernels/raster/resize.ts';
import { BLURRED_SIDE } from '../../../models/operations/remove-bg/cutout-edits.ts';
import { blurredSurroundings } from '../../../models/operations/remove-bg/read-backdrop.ts';
import { readPixels } from '../files/open-bitmap.ts';
import styles from './view-layers.module.css';

interface BlurredBackgroundProps {
  readonly original: ImageBitmap;
  readonly cutout: ImageBitmap;
}

/** Blurred surroundings of the subject, computed on the page from a small image, as in the final file. */
export function BlurredBackground({ original, cutout }: BlurredBackgroundProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current && original.width > 0 && cutout.width > 0) {
      paintBlurred(canvas.current, original, cutout, original);
    }
  }, [original, cutout]);
  return <canvas ref={canvas} className={styles.blurred} aria-hidden />;
}

interface BlurredClipProps {
  readonly original: HTMLVideoElement;
  readonly cutout: HTMLVideoElement;
}

/** Blurred surroundings of a video, redrawn with every frame. */
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
  return <canvas ref={canvas} className={styles.blurred} aria-hidden />;
}

/**
 * Calls back on each video frame.
 * @returns a function that stops the calls
 */
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
  full: ImageSize,
): void {
  const size = fitWithin(full, BLURRED_SIDE);
  const colours = resizeColours(readPixels(original, size), size.width, size.height);
  const matte = resizeAlpha(readPixels(cutout, size), size.width, size.height);
  const { width, height, data } = blurredSurroundings(colours, matte);
  canvas.width = width;
  canvas.height = height;
  const pixels = new ImageData(new Uint8ClampedArray(data.buffer), width, height);
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
}
