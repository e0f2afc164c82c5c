import { describe, expect, it } from 'vitest';
import { blendPieces } from '../../../../../models/operations/extend/fill/blend-pieces.ts';

const [WIDTH, HEIGHT, KEPT] = [50, 20, 30];

/**
 * Blends an image of grey `kept` on the left with copies of its left part, which is `step` levels brighter, next to it.
 */
function blend(step: number): (x: number) => number {
  const data = new Uint8Array(WIDTH * HEIGHT * 4).fill(255);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, at += 4) data.fill(x < 25 || x >= KEPT ? 100 + step : 100, at, at + 3);
  }
  const kept = { left: 0, top: 0, width: KEPT, height: HEIGHT };
  const pieces = {
    raster: { width: WIDTH, height: HEIGHT, data },
    kept,
    getSource: (x: number, y: number) => y * WIDTH + x - KEPT + 1,
  };
  blendPieces(pieces, { signal: new AbortController().signal, onProgress() {} });
  return (x) => data[(10 * WIDTH + x) * 4] as number;
}

describe('blendPieces', () => {
  it('spreads a small jump at a seam, and leaves the kept pixels', () => {
    const at = blend(8);
    expect(at(KEPT - 1)).toBe(100);
    expect(Math.abs(at(KEPT) - at(KEPT - 1))).toBeLessThanOrEqual(2);
    expect(at(WIDTH - 1)).toBeGreaterThan(at(KEPT));
  });

  it('leaves a large jump: it is an edge of what is shown', () => {
    const at = blend(120);
    expect(at(KEPT)).toBeGreaterThan(210);
  });
});
