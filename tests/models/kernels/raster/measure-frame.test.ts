import { expect, test } from 'vitest';
import { measureFrame } from '../../../../models/kernels/raster/measure-frame.ts';

/** Image of warm stripes with lines of a colour around it. */
function framed(lines: number, colour: readonly [number, number, number]) {
  const [width, height] = [96, 80];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const isFrame = Math.min(x, y, width - 1 - x, height - 1 - y) < lines;
    const level = 200 + 40 * Math.sin(x / 3) * Math.cos(y / 3);
    data.set([...(isFrame ? colour : [level, level - 90, level - 130]), 255], at * 4);
  }
  return { width, height, data };
}

const on = (width: number) => ({ left: width, right: width, top: width, bottom: width });

test('a black frame that the content tints is one of a scan', () => {
  expect(measureFrame(framed(2, [40, 15, 0]))).toEqual(on(4));
});

test('a blue frame around warm content is drawn, and belongs to the image', () => {
  expect(measureFrame(framed(3, [40, 60, 110]))).toEqual(on(0));
});
