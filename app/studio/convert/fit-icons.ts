import { createElement, type FunctionComponent } from 'react';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The size that is asked for. */
const FRAME: Box = { x: 5, y: 2, width: 22, height: 16 };

/** Draws a size, dashed where the result is smaller, with a wide image in it. */
function draw(image: Box, isDashed = false): FunctionComponent<{ readonly size?: number }> {
  return ({ size = 20 }) =>
    createElement(
      'svg',
      {
        width: size * 1.6,
        height: size,
        viewBox: '0 0 32 20',
        fill: 'none',
        stroke: 'currentColor',
        'aria-hidden': true,
      },
      createElement('rect', { ...FRAME, rx: 1, strokeDasharray: isDashed ? '2 2' : undefined }),
      createElement('rect', { ...image, rx: 1, fill: 'currentColor', fillOpacity: 0.35, stroke: 'none' }),
      createElement('circle', {
        cx: image.x + image.width * 0.35,
        cy: 10,
        r: 2,
        fill: 'currentColor',
        stroke: 'none',
      }),
    );
}

/** Pictures of the fits, by value; the empty one is inside. */
export const FIT_ICONS = {
  '': draw({ x: 5, y: 5, width: 22, height: 10 }, true),
  cover: draw({ x: 1, y: 2, width: 30, height: 16 }),
  contain: draw({ x: 5, y: 5, width: 22, height: 10 }),
  fill: draw({ x: 5, y: 2, width: 22, height: 16 }),
};
