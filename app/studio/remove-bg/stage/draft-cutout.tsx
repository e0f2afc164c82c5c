'use client';

import { useCallback } from 'react';
import type { Draft } from '../../../../models/core/runtime/progress.ts';
import { StagePlane } from '../../stage/view/stage-plane.tsx';
import { BackgroundLayer } from '../background/background-layer.tsx';
import type { BackgroundView } from '../background/use-background-view.ts';
import { BitmapCanvas } from './bitmap-canvas.tsx';

interface DraftCutoutProps {
  readonly name: string;
  readonly preview: ImageBitmap;
  readonly draft: Draft;
  readonly background: BackgroundView;
}

/** Shows a subject by the first matte of its run, with coarse edges, until the cutout itself is there. */
export function DraftCutout({ name, preview, draft, background }: DraftCutoutProps) {
  const draw = useCallback(
    (context: CanvasRenderingContext2D, bitmap: ImageBitmap) => drawRough(context, bitmap, draft),
    [draft],
  );
  return (
    <StagePlane>
      <BackgroundLayer background={background}>
        <BitmapCanvas bitmap={preview} label={`${name}, rough cutout`} draw={draw} />
      </BackgroundLayer>
    </StagePlane>
  );
}

/** Draws an image where its matte has opacity. The browser interpolates the matte, which is smaller. */
function drawRough(context: CanvasRenderingContext2D, image: ImageBitmap, draft: Draft): void {
  const { width, height } = context.canvas;
  context.drawImage(image, 0, 0, width, height);
  context.globalCompositeOperation = 'destination-in';
  context.drawImage(getMatte(draft), 0, 0, width, height);
  context.globalCompositeOperation = 'source-over';
}

function getMatte({ width, height, opacity }: Draft): OffscreenCanvas {
  const pixels = new ImageData(width, height);
  for (let at = 0; at < opacity.length; at++) pixels.data[4 * at + 3] = opacity[at];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  return canvas;
}
