'use client';

import { useEffect, useRef } from 'react';

interface BitmapCanvasProps {
  readonly bitmap: ImageBitmap;
  /** Description for screen readers; without it, the canvas is decorative. */
  readonly label?: string;
  readonly className?: string | undefined;
  readonly draw?: (context: CanvasRenderingContext2D, bitmap: ImageBitmap) => void;
}

export function BitmapCanvas({ bitmap, label, className, draw = drawPlain }: BitmapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (!target || !context || bitmap.width === 0) return;
    target.width = bitmap.width;
    target.height = bitmap.height;
    draw(context, bitmap);
  }, [bitmap, draw]);
  return label === undefined ? (
    <canvas ref={canvas} className={className} aria-hidden />
  ) : (
    <canvas ref={canvas} className={className} role="img" aria-label={label} />
  );
}

function drawPlain(context: CanvasRenderingContext2D, bitmap: ImageBitmap): void {
  context.drawImage(bitmap, 0, 0);
}
